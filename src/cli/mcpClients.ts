/** The configuration of one MCP client for this service. */
export interface McpSetup {
  readonly title: string;
  /** The file for the configuration, or an instruction in its place. */
  readonly file: string;
  readonly config: string;
}

type Client = (url: string, oauth: boolean) => McpSetup;

/** The variable in which clients find the token. It lacks the prefix STAYD_, which marks settings of the service. */
export const TOKEN_VARIABLE = 'MCP_STAYD_TOKEN';
const NAME = 'stayd';

/** The MCP clients that stayd prints configuration for. */
export const mcpClients: Readonly<Record<string, Client>> = {
  'claude-code': (url, oauth) => ({
    title: 'Claude Code',
    file: '.mcp.json in the project',
    config: json({ mcpServers: { [NAME]: { type: 'http', url, ...headers(`\${${TOKEN_VARIABLE}}`, oauth) } } }),
  }),
  'claude-desktop': (url, oauth) => ({
    title: 'Claude Desktop',
    file: 'claude_desktop_config.json (Settings, Developer, Edit Config)',
    config: json({
      mcpServers: {
        [NAME]: {
          command: 'npx',
          // Some systems lose a space inside an argument, so the header has none and a variable holds its value.
          args: ['-y', 'mcp-remote', url, ...(oauth ? [] : ['--header', 'Authorization:${AUTHORIZATION}'])],
          ...(!oauth && { env: { AUTHORIZATION: 'Bearer <the token>' } }),
        },
      },
    }),
  }),
  cursor: (url, oauth) => ({
    title: 'Cursor',
    file: '~/.cursor/mcp.json',
    config: json({ mcpServers: { [NAME]: { url, ...headers(`\${env:${TOKEN_VARIABLE}}`, oauth) } } }),
  }),
  vscode: (url, oauth) => ({
    title: 'VS Code',
    file: '.vscode/mcp.json in the project',
    config: json({
      ...(!oauth && {
        inputs: [{ type: 'promptString', id: 'stayd-token', description: 'Access token of stayd', password: true }],
      }),
      servers: { [NAME]: { type: 'http', url, ...headers('${input:stayd-token}', oauth) } },
    }),
  }),
  windsurf: (url, oauth) => ({
    title: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    config: json({ mcpServers: { [NAME]: { serverUrl: url, ...headers(`\${env:${TOKEN_VARIABLE}}`, oauth) } } }),
  }),
  'gemini-cli': (url, oauth) => ({
    title: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    config: json({ mcpServers: { [NAME]: { httpUrl: url, ...headers(`$${TOKEN_VARIABLE}`, oauth) } } }),
  }),
  codex: (url, oauth) => ({
    title: 'Codex',
    file: '~/.codex/config.toml',
    config: [
      `[mcp_servers.${NAME}]`,
      `url = ${JSON.stringify(url)}`,
      ...(oauth ? [] : [`bearer_token_env_var = ${JSON.stringify(TOKEN_VARIABLE)}`]),
    ].join('\n'),
  }),
};

function headers(token: string, oauth: boolean): object {
  return oauth ? {} : { headers: { Authorization: `Bearer ${token}` } };
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
