import type { Command } from 'commander';
import { runningControl } from '../compose/forCommand.ts';
import { partsOf } from '../compose/roles.ts';
import type { Config } from '../config.ts';
import { OperatorError, UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { mcpClients, type McpSetup, TOKEN_VARIABLE } from './mcpClients.ts';
import { jsonText } from './output.ts';

interface ConfigOptions {
  oauth?: true;
  url?: string;
  json?: true;
}

/** Adds `stayd mcp`, which prints configuration for MCP clients. */
export function mcpCommands(program: Command, context: CliContext): void {
  const mcp = program.command('mcp').description('assistants that use the tools of this service');
  mcp
    .command('config')
    .description(
      `print ready configuration for MCP clients; they take the token from the variable ${TOKEN_VARIABLE}, or ask for it`,
    )
    .argument('[client]', `one of ${Object.keys(mcpClients).join(', ')}; left out: all of them`)
    .option('--oauth', 'without a token: the client opens the consent page of this service')
    .option('--url <address>', 'another address of the endpoint')
    .option('--json', 'as JSON')
    .action(async (client: string | undefined, options: ConfigOptions) => {
      const chosen = client === undefined ? Object.keys(mcpClients) : [client];
      const url = options.url ?? (await endpointOf(await context.loadConfig()));
      const setups = chosen.map((name) => setupOf(name, url, options.oauth === true));
      if (options.json) return context.out(jsonText(setups));
      // The configuration of a single client is printed alone, so that it can be piped into the file.
      if (client !== undefined) return setups.forEach(({ file, config }) => printOne(context, file, config));
      for (const { title, file, config } of setups) context.out(`# ${title}: ${file}\n${config}\n`);
    });
}

function setupOf(name: string, url: string, oauth: boolean): McpSetup & { client: string } {
  const client = Object.hasOwn(mcpClients, name) ? mcpClients[name] : undefined;
  if (!client)
    throw new UsageError(`${name} is no client that is known here`, `known are ${Object.keys(mcpClients).join(', ')}`);
  return { client: name, ...client(url, oauth) };
}

function printOne(context: CliContext, file: string, config: string): void {
  context.err(`for ${file}:`);
  context.out(config);
}

/** Addresses that a server listens on but that no client can connect to. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Returns the address of the MCP endpoint of this service. */
async function endpointOf(config: Config): Promise<string> {
  const { public_url, port, host, tls } = config;
  if (!partsOf(config).core) {
    throw new OperatorError(
      'no core runs here, so there are no tools: this stayd only mirrors another deployment',
      'run the command where that deployment runs, or give its address with --url',
    );
  }
  if (public_url !== null) return `${public_url.replace(/\/$/, '')}/mcp`;
  const running = port === 0 ? await runningControl(config) : undefined;
  if (running) return `${running.url}/mcp`;
  if (port === 0)
    throw new OperatorError(
      'the port is any free one, and no service runs that has one',
      'start the service, or set port',
    );
  const name = EVERYWHERE.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls.cert === null ? 'http' : 'https'}://${name}:${port}/mcp`;
}
