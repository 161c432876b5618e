import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { withCore } from './portal.ts';

interface Account {
  account_id: string;
  name: string;
  time_zone: string;
  currency: string;
  subscription: string;
  created_at: string;
}

interface Token {
  id: number;
  name: string;
  scope: string;
  hint: string;
  created_at: string;
  revoked_at: string | null;
}

export function accountCommands(program: Command, context: CliContext): void {
  const account = program.command('account').description('accounts of the service');
  account
    .command('list')
    .description('list accounts')
    .option('--json', 'as JSON')
    .action((options: { json?: true }) =>
      withCore(context, async (portal) => {
        const { accounts } = await portal.get<{ accounts: Account[] }>('/portal/accounts');
        if (options.json) return context.out(jsonText(accounts));
        const rows = accounts.map((one) => [one.name, one.account_id, one.time_zone, one.currency, one.subscription]);
        context.out(table(['name', 'account_id', 'time zone', 'currency', 'subscription'], rows));
      }),
    );
  account
    .command('create')
    .description('make an account with its dictionaries')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--time-zone <zone>', 'IANA zone of the operator, such as Europe/Berlin')
    .requiredOption('--currency <code>', 'ISO 4217 code, such as EUR')
    .option('--property-quota <count>', 'how many properties it may have', Number, 1_000)
    .option('--json', 'as JSON')
    .action((options: { name: string; timeZone: string; currency: string; propertyQuota: number; json?: true }) =>
      withCore(context, async (portal) => {
        const made = await portal.send<Account>('POST', '/portal/accounts', {
          name: options.name,
          time_zone: options.timeZone,
          currency: options.currency,
          property_quota: options.propertyQuota,
        });
        context.out(options.json ? jsonText(made) : `made account ${made.name} (${made.account_id})`);
      }),
    );
}

export function tokenCommands(program: Command, context: CliContext): void {
  const token = program.command('token').description('access tokens of an account');
  token
    .command('create')
    .description('make an access token and print it; it is shown this once')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scope <scope>', 'read, or write for everything')
    .option('--account <name>', 'whose; needed when there are several accounts')
    .action((options: { name: string; scope: string; account?: string }) =>
      withCore(context, async (portal) => {
        const made = await portal.send<{ token: string }>('POST', '/portal/tokens', options);
        context.out(made.token);
      }),
    );
  token
    .command('list')
    .description('list access tokens, live and ended')
    .option('--account <name>', 'whose; needed when there are several accounts')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const { tokens } = await portal.get<{ tokens: Token[] }>('/portal/tokens', { account: options.account });
        if (options.json) return context.out(jsonText(tokens));
        const rows = tokens.map((one) => [one.id, one.name, one.scope, one.hint, one.created_at, one.revoked_at]);
        context.out(table(['id', 'name', 'scope', 'token', 'created', 'revoked'], rows));
      }),
    );
  token
    .command('revoke')
    .description('end an access token at once')
    .argument('<id>', 'its number in the list')
    .option('--account <name>', 'whose; needed when there are several accounts')
    .action((id: string, options: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/tokens/${encodeURIComponent(id)}`, options);
        context.out(`revoked token ${id}`);
      }),
    );
}
