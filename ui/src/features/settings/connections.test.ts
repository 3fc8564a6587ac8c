import { describe, expect, it } from "vitest";
import { connection, PROGRAMS } from "./connections";

describe("what other programs are told", () => {
  it("starts the server on this workspace, however its path is written", () => {
    for (const program of PROGRAMS) {
      const path = 'C:\\Users\\A "B"\\plumbline';
      const [[, servers]] = Object.entries(JSON.parse(connection(program, path))) as [[string, object]];
      expect((servers as { plumbline: object }).plumbline, program).toMatchObject({
        command: "plumbline",
        args: ["mcp", "--workspace", path],
      });
    }
  });

  it("has the form that each program reads", () => {
    expect(connection("claude", "/w")).toContain('"mcpServers"');
    expect(connection("vscode", "/w")).toContain('"type": "stdio"');
    expect(connection("zed", "/w")).toContain('"context_servers"');
  });
});
