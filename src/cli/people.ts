import { type Command, InvalidArgumentError } from 'commander';
import { ROLES } from '../kernel/roles.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { withCore } from './portal.ts';

interface SubAccount {
  id: number;
  name: string;
  role: string;
  all_properties: boolean;
  property_ids: number[];
  created_at: string;
}

interface Named {
  account?: string;
  connection?: string;
  name?: string;
  properties?: number[];
  role?: string;
  allProperties?: true;
}

/** Parses `1,2,5`; an empty text gives an empty list. */
function idList(text: string): number[] {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  if (!parts.every((part) => /^\s*\d+\s*$/.test(part)))
    throw new InvalidArgumentError('Write numbers and commas: 1,2,5');
  return parts.map(Number);
}

/** Parses a whole number above zero. */
export function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('Write a whole number above zero.');
  return Number(text);
}

const SEES_ALL = ['--all-properties', 'it sees every property, also those to come'] as const;
const AS = ['--role <role>', `what it is: ${ROLES.filter((role) => role !== 'owner').join(', ')}`] as const;
const OF_CONNECTION = [
  '--connection <name>',
  'whose properties, where no core runs; needed when several are mirrored',
] as const;
const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd sub-account`: people of an account who see some of its properties only. */
export function subAccountCommands(program: Command, context: CliContext): void {
  const sub = program.command('sub-account').description('users of an account who see only some of its properties');
  sub
    .command('list')
    .description('list sub-accounts with the properties each may see')
    .option(...OF_ACCOUNT)
    .option(...OF_CONNECTION)
    .option('--json', 'as JSON')
    .action((options: { account?: string; connection?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const question = { account: options.account, connection: options.connection };
        const { sub_accounts } = await portal.get<{ sub_accounts: SubAccount[] }>('/portal/sub_accounts', question);
        if (options.json) return context.out(jsonText(sub_accounts));
        const rows = sub_accounts.map((one) => [
          one.id,
          one.name,
          one.role,
          one.all_properties ? 'all' : one.property_ids.join(','),
          one.created_at,
        ]);
        context.out(table(['id', 'name', 'role', 'properties', 'created'], rows));
      }),
    );
  sub
    .command('create')
    .description('create a sub-account and print its number')
    .requiredOption('--name <name>', 'its name')
    .option('--properties <ids>', 'properties that it may see, such as 1,2,5', idList, [])
    .option(...SEES_ALL)
    .option(...AS)
    .option(...OF_ACCOUNT)
    .option(...OF_CONNECTION)
    .action(({ account, connection, name, properties, allProperties, role }: Named) =>
      withCore(context, async (portal) => {
        const draft = { account, connection, name, property_ids: properties, all_properties: allProperties, role };
        const { id } = await portal.send<{ id: number }>('POST', '/portal/sub_accounts', draft);
        context.out(String(id));
      }),
    );
  sub
    .command('change')
    .description('change the name of a sub-account, or its properties')
    .argument('<id>', 'its number in the list')
    .option('--name <name>', 'its name')
    .option('--properties <ids>', 'all properties that it may see from now on; "" for none', idList)
    .option(...SEES_ALL)
    .option(...AS)
    .option(...OF_ACCOUNT)
    .option(...OF_CONNECTION)
    .action((id: string, { account, connection, name, properties, allProperties, role }: Named) =>
      withCore(context, async (portal) => {
        const path = `/portal/sub_accounts/${encodeURIComponent(id)}`;
        const draft = { account, connection, name, property_ids: properties, all_properties: allProperties, role };
        await portal.send('PUT', path, draft);
        context.out(`changed sub-account ${id}`);
      }),
    );
}

/** Adds `stayd login`: invitations by which people choose login and password. */
export function loginCommands(program: Command, context: CliContext): void {
  const login = program.command('login').description('how people sign in');
  login
    .command('invite')
    .description('print a one-time link by which a person sets a new login and password')
    .option('--operator <id>', 'a sub-account (default: the main account)', count)
    .option(...OF_ACCOUNT)
    .action(({ account, operator }: { account?: string; operator?: number }) =>
      withCore(context, async (portal) => {
        const made = await portal.send<{ link: string }>('POST', '/portal/invites', {
          account,
          operator_id: operator,
        });
        context.out(made.link);
      }),
    );
}
