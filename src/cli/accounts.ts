import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface Account {
  account_id: string;
  name: string;
  time_zone: string;
  currency: string;
  subscription: string;
  edition: string;
  expires_at: string | null;
  automations_held: string | null;
  connection: string | null;
  mirrored: boolean;
  created_at: string;
}

interface Token {
  id: number;
  name: string;
  scope: string;
  operator_name: string;
  hint: string;
  per_minute: number | null;
  per_hour: number | null;
  created_at: string;
  expires_at: string | null;
  last_used_on: string | null;
  revoked_at: string | null;
}

interface TokenOptions {
  name: string;
  scope: string;
  account?: string;
  operator?: number;
  expires?: string;
  perMinute?: number;
  perHour?: number;
}

/** Adds `stayd account`: list, create and change accounts of the core. */
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
        const heads = ['name', 'account_id', 'time zone', 'currency', 'subscription', 'edition', 'ends', 'mirrored as'];
        context.out(table(heads, accounts.map(accountCells)));
      }),
    );
  account
    .command('create')
    .description('create an account with its dictionaries')
    .requiredOption('--name <name>', 'its name')
    .requiredOption('--time-zone <zone>', 'IANA zone of the operator, such as Europe/Berlin')
    .requiredOption('--currency <code>', 'ISO 4217 code, such as EUR')
    .option('--property-quota <count>', 'maximum number of properties', Number, 1_000)
    .addOption(mirroredOption().default('on'))
    .option('--json', 'as JSON')
    .action((options: Draft) =>
      withCore(context, async (portal) => {
        const made = await portal.send<Account>('POST', '/portal/accounts', {
          name: options.name,
          time_zone: options.timeZone,
          currency: options.currency,
          property_quota: options.propertyQuota,
          mirrored: options.mirrored === 'on',
        });
        if (options.json) return context.out(jsonText(made));
        context.out(`made account ${made.name} (${made.account_id})${mirroredText(made)}`);
      }),
    );
  account
    .command('change')
    .description('change an account; settings that are not given stay as they are')
    .argument('<name>', 'its name or account_id')
    .option('--edition <edition>', 'pro, or basic: no API')
    .option('--suspended <yes|no>', 'suspend or reinstate it', yesOrNo)
    .option('--expires <date>', 'end of its subscription in UTC, or never')
    .option('--property-quota <count>', 'maximum number of properties', count)
    .addOption(
      new Option('--automations <state>', 'carry out its planned actions, or hold them').choices(['armed', 'held']),
    )
    .addOption(mirroredOption())
    .action((name: string, options: Changes) =>
      withCore(context, async (portal) => {
        const changed = await portal.send<Partial<Account>>('PUT', `/portal/accounts/${encodeURIComponent(name)}`, {
          edition: options.edition,
          suspended: options.suspended,
          expires_at: options.expires === 'never' ? null : options.expires,
          property_quota: options.propertyQuota,
          automations: options.automations,
          mirrored: options.mirrored === undefined ? undefined : options.mirrored === 'on',
        });
        context.out(`changed account ${name}${options.mirrored === undefined ? '' : mirroredText(changed)}`);
      }),
    );
}

interface Draft {
  name: string;
  timeZone: string;
  currency: string;
  propertyQuota: number;
  mirrored: string;
  json?: true;
}

interface Changes {
  edition?: string;
  suspended?: boolean;
  expires?: string;
  propertyQuota?: number;
  automations?: string;
  mirrored?: string;
}

function mirroredOption(): Option {
  return new Option('--mirrored <state>', 'mirror it beside the others, or not').choices(['on', 'off']);
}

function mirroredText({ mirrored, connection }: Partial<Account>): string {
  if (mirrored) return `; it is mirrored as the connection ${connection}`;
  return connection ? `; it is not mirrored any more, and the rows of ${connection} stay` : '; it is not mirrored';
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new InvalidArgumentError('Write yes or no.');
  return text === 'yes';
}

/** Adds `stayd token`: access tokens of an account. A token is printed once, when it is created. */
export function tokenCommands(program: Command, context: CliContext): void {
  const token = program.command('token').description('access tokens of an account');
  createTokenCommand(token, context);
  listTokensCommand(token, context);
  revokeTokenCommand(token, context);
}

function createTokenCommand(token: Command, context: CliContext): void {
  token
    .command('create')
    .description('create an access token and print it; it is shown only once')
    .requiredOption('--name <name>', 'its purpose')
    .requiredOption('--scope <scope>', 'read, or write for everything')
    .option('--account <name>', 'which account; needed when there are several')
    .option('--operator <id>', 'a sub-account (default: the main account)', count)
    .option('--expires <date>', 'when it expires, in UTC (default: never)')
    .option('--per-minute <count>', 'its own limit of requests per minute', count)
    .option('--per-hour <count>', 'its own limit of requests per hour', count)
    .action((options: TokenOptions) =>
      withCore(context, async (portal) => {
        const {
          operator: operator_id,
          expires: expires_at,
          perMinute: per_minute,
          perHour: per_hour,
          ...rest
        } = options;
        const draft = { ...rest, operator_id, expires_at, per_minute, per_hour };
        const made = await portal.send<{ token: string }>('POST', '/portal/tokens', draft);
        context.out(made.token);
      }),
    );
}

function listTokensCommand(token: Command, context: CliContext): void {
  token
    .command('list')
    .description('list access tokens, including those that have ended')
    .option('--account <name>', 'which account; needed when there are several')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const { tokens } = await portal.get<{ tokens: Token[] }>('/portal/tokens', { account: options.account });
        if (options.json) return context.out(jsonText(tokens));
        const heads = [
          'id',
          'name',
          'scope',
          'operator',
          'token',
          'per minute',
          'per hour',
          'created',
          'last used',
          'ends',
          'revoked',
        ];
        context.out(table(heads, tokens.map(tokenCells)));
      }),
    );
}

function revokeTokenCommand(token: Command, context: CliContext): void {
  token
    .command('revoke')
    .description('revoke an access token immediately')
    .argument('<id>', 'its number in the list')
    .option('--account <name>', 'which account; needed when there are several')
    .action((id: string, options: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/tokens/${encodeURIComponent(id)}`, options);
        context.out(`revoked token ${id}`);
      }),
    );
}

function accountCells({ mirrored, connection, ...account }: Account) {
  const { name, account_id, time_zone, currency, subscription, edition, expires_at } = account;
  return [name, account_id, time_zone, currency, subscription, edition, expires_at, mirrored ? connection : null];
}

function tokenCells(token: Token) {
  const { id, name, scope, operator_name, hint, per_minute, per_hour } = token;
  const { created_at, last_used_on, expires_at, revoked_at } = token;
  return [id, name, scope, operator_name, hint, per_minute, per_hour, created_at, last_used_on, expires_at, revoked_at];
}
