"use strict";
document.querySelectorAll("table.sortable").forEach((table) => {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers are looked at from the top first, names from A.
      const numbers = head.classList.contains("n");
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numbers;
      const value = (row) => {
        const cell = row.cells[column];
        return numbers ? Number(cell.dataset.v ?? -1) : (cell.dataset.v ?? cell.textContent.trim());
      };
      const compare = (a, b) => (numbers ? value(a) - value(b) : value(a).localeCompare(value(b), "en", { numeric: true }));
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => (up ? compare(a, b) : compare(b, a)));
      body.append(...rows);
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
    });
  });
});
