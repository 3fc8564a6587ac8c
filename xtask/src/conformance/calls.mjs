// A thousand calls in a row, and the memory of the server before and behind them.
//
// node calls.mjs http ADDRESS TOKEN PROCESS-ID
// node calls.mjs stdio PROGRAM ARGUMENTS...
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [how, target, ...rest] = process.argv.slice(2);
const FIRST = 200;
const CALLS = 1000;
// What an allocator keeps for itself comes and goes; sixteen kilobytes left behind by every call do not.
const MOST_MB = 16;

function overHttp(address, token) {
  let session;
  return async (message) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(session && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(message) });
    session ??= answer.headers.get("mcp-session-id");
    const text = await answer.text();
    if (!answer.ok) throw new Error(`status ${answer.status}: ${text}`);
    const messages = answer.headers.get("content-type")?.startsWith("text/event-stream")
      ? text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : []))
      : [text].filter(Boolean);
    return messages.map((one) => JSON.parse(one)).find(({ id }) => id === message.id);
  };
}

function overStreams(child) {
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  return (message) =>
    new Promise((resolve) => {
      if (message.id === undefined) resolve();
      else waiting.set(message.id, resolve);
      child.stdin.write(`${JSON.stringify(message)}\n`);
    });
}

/** Every kind of call, those that take long less often. */
function call(n) {
  if (n % 50 === 0) return ["ask", { question: "Which broker do we use for event streaming?" }];
  if (n % 50 === 25) return ["check_statement", { text: "Backups are encrypted with separate keys." }];
  return [
    ["define_term", { term: "substation" }],
    ["get_document", { id: "adr-0015" }],
    ["list_documents", {}],
    ["search_passages", { query: "backups" }],
    ["library_status", {}],
    ["get_document", { id: "ADR-9999" }],
  ][n % 6];
}

function megabytes(id) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024;
  } catch {
    return NaN;
  }
}

const child = how === "stdio" ? spawn(target, rest, { stdio: ["pipe", "pipe", "inherit"] }) : null;
const id = child?.pid ?? Number(rest[1]);
const send = child ? overStreams(child) : overHttp(target, rest[0]);
let number = 0;
const ask = (method, params) => send({ jsonrpc: "2.0", id: ++number, method, params });
const clientInfo = { name: "calls", version: "1" };
await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
await send({ jsonrpc: "2.0", method: "notifications/initialized" });
let before = NaN;
for (let n = 0; n < FIRST + CALLS; n++) {
  if (n === FIRST) before = megabytes(id);
  const [name, given] = call(n);
  const answer = await ask("tools/call", { name, arguments: given });
  const expected = given.id === "ADR-9999";
  if (!answer?.result || Boolean(answer.result.isError) !== expected) {
    throw new Error(`${name}: ${JSON.stringify(answer)}`);
  }
}
const after = megabytes(id);
child?.stdin.end();
const memory = Number.isNaN(before)
  ? "memory is not measured on this system"
  : `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB behind them`;
console.log(`${CALLS} calls over ${how}: ${memory}`);
process.exitCode = after - before > MOST_MB ? 1 : 0;
