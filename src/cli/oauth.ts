import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { counted, jsonText, table } from './output.ts';
import { withCore } from './portal.ts';

interface Client {
  client_id: string;
  name: string;
  kind: string;
  origin: string;
  scope: string;
  account_id: string | null;
  redirect_uris: string[];
  secret_hint: string | null;
  created_at: string;
}

interface Connected {
  client_id: string;
  name: string | null;
  operator_name: string;
  scope: string;
  audience: string;
  since: string;
  refreshed_at: string;
  until: string;
}

interface AddOptions {
  name: string;
  redirectUri: string[];
  public?: true;
  scope: string;
  account?: string;
  json?: true;
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd oauth`: OAuth clients and the applications that people have connected. */
export function oauthCommands(program: Command, context: CliContext): void {
  const oauth = program.command('oauth').description('applications that people have connected by OAuth');
  clientCommands(oauth, context);
  oauth
    .command('connected')
    .description('list connected applications')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const { applications } = await portal.get<{ applications: Connected[] }>('/portal/oauth/connected', {
          account: options.account,
        });
        if (options.json) return context.out(jsonText(applications));
        const heads = ['client_id', 'name', 'let in by', 'scope', 'opens', 'since', 'last token', 'until'];
        context.out(table(heads, applications.map(connectedCells)));
      }),
    );
  oauth
    .command('disconnect')
    .description('disconnect an application from an account; its webhooks receive an event')
    .argument('<client_id>', 'as in the list')
    .option(...OF_ACCOUNT)
    .action((clientId: string, options: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/oauth/connected/${encodeURIComponent(clientId)}`, options);
        context.out(`disconnected ${clientId}`);
      }),
    );
}

function clientCommands(oauth: Command, context: CliContext): void {
  const client = oauth.command('client').description('applications that may request access');
  client
    .command('add')
    .description('register an application and print its client_id and secret; the secret is shown only once')
    .requiredOption('--name <name>', 'the name on the consent page')
    .requiredOption('--redirect-uri <uri...>', 'address to which people return; https, or http on this machine')
    .option('--public', 'it cannot keep a secret: an app on a device, or in a browser')
    .option('--scope <scope>', 'the widest scope it may request: read, or write for everything', 'write')
    .option('--account <name>', 'only for people of this account (default: for everybody)')
    .option('--json', 'as JSON')
    .action((options: AddOptions) =>
      withCore(context, async (portal) => {
        const made = await portal.send<{ client_id: string; client_secret?: string }>('POST', '/portal/oauth/clients', {
          account: options.account,
          name: options.name,
          kind: options.public ? 'public' : 'confidential',
          redirect_uris: options.redirectUri,
          scope: options.scope,
        });
        if (options.json) return context.out(jsonText(made));
        context.out(`client_id      ${made.client_id}`);
        if (made.client_secret !== undefined) context.out(`client_secret  ${made.client_secret}`);
      }),
    );
  client
    .command('list')
    .description('list applications that may request access')
    .option('--account <name>', 'only those that people of this account can use')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const { clients } = await portal.get<{ clients: Client[] }>('/portal/oauth/clients', {
          account: options.account,
        });
        if (options.json) return context.out(jsonText(clients));
        const heads = ['client_id', 'name', 'kind', 'how known', 'scope', 'account', 'returns to', 'secret', 'created'];
        context.out(table(heads, clients.map(clientCells)));
      }),
    );
  client
    .command('remove')
    .description('delete an application and disconnect it from every account')
    .argument('<client_id>', 'as in the list')
    .action((clientId: string) =>
      withCore(context, async (portal) => {
        const path = `/portal/oauth/clients/${encodeURIComponent(clientId)}`;
        const { disconnected } = await portal.send<{ disconnected: number }>('DELETE', path);
        context.out(`removed ${clientId}, disconnected from ${counted(disconnected, 'account')}`);
      }),
    );
}

function clientCells(client: Client) {
  const { client_id, name, kind, origin, scope, account_id, redirect_uris, secret_hint, created_at } = client;
  return [client_id, name, kind, origin, scope, account_id, redirect_uris.join(' '), secret_hint, created_at];
}

function connectedCells(one: Connected) {
  const { client_id, name, operator_name, scope, audience, since, refreshed_at, until } = one;
  return [client_id, name, operator_name, scope, audience, since, refreshed_at, until];
}
