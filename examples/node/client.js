// Solves the positions in a file of JSON lines:  node client.js ADDRESS FILE
// TRUNKLINE_TOKEN is shown to the server if it is set; an address that begins with https:// is called with TLS.
import { readFile } from "node:fs/promises";
import { fromJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { GameService } from "./gen/engine/v1/game_service_pb.js";
import { PositionSchema } from "./gen/engine/v1/position_pb.js";
import { Status } from "./gen/router/v1/solution_pb.js";

const [address = "http://127.0.0.1:50051", file = "../demo.jsonl"] = process.argv.slice(2);
const token = process.env.TRUNKLINE_TOKEN;

const withToken = (next) => (request) => {
  if (token) request.header.set("authorization", `Bearer ${token}`);
  return next(request);
};

const client = createClient(
  GameService,
  createGrpcTransport({ baseUrl: address, interceptors: [withToken] }),
);

const TIMEOUT_MS = 10_000;
const TRIES = 4;

// A full server and a lost worker are worth another try; the random part keeps callers apart.
async function patiently(call) {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const { code } = ConnectError.from(error);
      const passing = code === Code.Unavailable || code === Code.ResourceExhausted;
      if (!passing || tries === TRIES) throw error;
      await new Promise((done) => setTimeout(done, 50 * 2 ** tries * Math.random()));
    }
  }
}

const told = (solution) =>
  `${solution.id}: ${Status[solution.status]} ${solution.revenue} (bound ${solution.bound}), ` +
  solution.routes.map((route) => `${route.train} ${route.hexes.join(" ")} = ${route.revenue}`).join("; ");

const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim());
for (const line of lines.map(JSON.parse).filter((line) => line.position)) {
  const position = fromJson(PositionSchema, line.position);
  const request = { id: line.id, position, timeLimit: { seconds: 5n } };
  try {
    const { solution } = await patiently(() => client.solvePosition(request, { timeoutMs: TIMEOUT_MS }));
    console.log(told(solution));
    let better = 0;
    for await (const { event } of client.streamSolvePosition(request, { timeoutMs: TIMEOUT_MS })) {
      if (event.case === "incumbent") better++;
      if (event.case === "final" && event.value.revenue !== solution.revenue) throw new Error("they differ");
    }
    if (process.env.VERBOSE) console.log(`  ${better} better runs on the way`);
  } catch (error) {
    const { code, message } = ConnectError.from(error);
    console.error(`${line.id}: ${Code[code]}: ${message}`);
    process.exitCode = 1;
  }
}
