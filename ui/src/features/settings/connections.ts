/** Programs that ask the library over the Model Context Protocol. */
export const PROGRAMS = ["claude", "cursor", "vscode", "zed"] as const;
export type Program = (typeof PROGRAMS)[number];

/** What stands in a program's own settings, so that it asks this workspace. */
export function connection(program: Program, workspace: string): string {
  const server = { command: "plumbline", args: ["mcp", "--workspace", workspace] };
  const settings = {
    claude: { mcpServers: { plumbline: server } },
    cursor: { mcpServers: { plumbline: server } },
    vscode: { servers: { plumbline: { type: "stdio", ...server } } },
    zed: { context_servers: { plumbline: { source: "custom", ...server, env: {} } } },
  };
  return JSON.stringify(settings[program], null, 2);
}
