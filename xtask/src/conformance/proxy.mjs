// Stands between the conformance suite and our server. The suite has no way to show a token, and calls the tools, prompts and
// resources of a server that was written for it: each gets one of ours that has the same feature. Nothing of what our server
// answers is changed.
//
// node proxy.mjs PORT-OF-THE-SERVER TOKEN: prints the port that it listens on.
import http from "node:http";

const [port, token] = process.argv.slice(2);
const DOCUMENT = "plumbline://document/adr-0015";
const OURS = {
  "tools/call": {
    test_simple_text: { name: "library_status", arguments: {} },
    test_error_handling: { name: "get_document", arguments: { id: "ADR-9999" } },
    test_tool_with_progress: { name: "ask", arguments: { question: "Which broker do we use for event streaming?" } },
  },
  "prompts/get": {
    test_simple_prompt: { name: "answer_from_library", arguments: { question: "Which broker do we use?" } },
    test_prompt_with_arguments: { name: "check_my_text", arguments: { text: "testValue1 and testValue2" } },
  },
  "resources/read": { "test://static-text": { uri: DOCUMENT } },
};

function translated(body) {
  try {
    const message = JSON.parse(body);
    const { name, uri } = message.params ?? {};
    const ours = OURS[message.method]?.[name ?? uri];
    if (ours) Object.assign(message.params, ours);
    return JSON.stringify(message);
  } catch {
    return body;
  }
}

const proxy = http.createServer(async (asked, answer) => {
  const parts = [];
  for await (const part of asked) parts.push(part);
  const body = translated(Buffer.concat(parts).toString());
  const headers = { ...asked.headers, authorization: `Bearer ${token}` };
  if (body) headers["content-length"] = Buffer.byteLength(body);
  delete headers["transfer-encoding"];
  const onward = http.request({ port, host: "127.0.0.1", method: asked.method, path: asked.url, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  onward.end(body);
});
proxy.listen(0, "127.0.0.1", () => console.log(proxy.address().port));
