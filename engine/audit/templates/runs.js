"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("view");
  const table = document.getElementById("runs");
  let shown = 0;
  let larger = false;

  const board = (drawn, side) => {
    const [lines, signs] = drawn.sides[side];
    const uses = (layer) => drawn.parts.map((part) => `<use href="#${layer}${part}"/>`).join("");
    return `<svg class="map" viewBox="${data.box}" role="img" aria-label="board">${uses("b")}${lines}${uses("a")}${signs}</svg>`;
  };

  const order = () =>
    [...table.tBodies[0].rows].filter((row) => row.offsetParent !== null).map((row) => Number(row.id.slice(4)));

  const control = (label, act, disabled = false) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.disabled = disabled;
    button.addEventListener("click", act);
    return button;
  };

  const step = (by) => {
    const runs = order();
    const next = runs[runs.indexOf(shown) + by];
    if (next) location.hash = `run-${next}`;
  };

  const show = (number) => {
    const text = document.getElementById(`run-${number}-text`);
    table.querySelectorAll("tr.shown").forEach((row) => row.classList.remove("shown"));
    shown = text ? number : 0;
    if (!text) {
      view.replaceChildren();
      return;
    }
    const drawn = data.runs[number - 1];
    const runs = order();
    const place = runs.indexOf(number);
    const controls = document.createElement("div");
    controls.className = "controls";
    controls.append(
      control("← previous", () => step(-1), place <= 0),
      control("next →", () => step(1), place < 0 || place === runs.length - 1),
      control(larger ? "smaller map" : "larger map", () => { larger = !larger; show(number); }),
      control("close", () => { location.hash = ""; }),
    );
    view.replaceChildren(controls, text.content.cloneNode(true));
    view.classList.toggle("larger", larger);
    view.querySelectorAll(".board[data-side]").forEach((place_) => { place_.innerHTML = board(drawn, place_.dataset.side); });
    document.getElementById(`row-${number}`).classList.add("shown");
  };

  const follow = () => {
    const number = Number((location.hash.match(/^#run-(\d+)$/) || [])[1] || 0);
    show(number);
    if (shown) view.scrollIntoView({ block: "start" });
  };

  table.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    if (row) location.hash = `run-${row.id.slice(4)}`;
  });
  document.getElementById("only").addEventListener("change", (event) => {
    table.classList.toggle("only-below", event.target.checked);
    if (shown) show(shown);
  });
  document.addEventListener("keydown", (event) => {
    if (!shown || event.target.closest("input")) return;
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  window.addEventListener("hashchange", follow);
  follow();
})();
