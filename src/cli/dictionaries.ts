import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface Named {
  id: number;
  name: string;
}

type Listed = Record<string, Named[]>;
interface OfAccount {
  account?: string;
  json?: true;
}

const DICTIONARIES = ['income_items', 'expense_items', 'income_methods', 'expense_methods'];
const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;
const CHANNELS = 'custom_channels';

/** Adds `stayd dictionary`: items and methods of the ledger. */
export function dictionaryCommands(program: Command, context: CliContext): void {
  const group = program.command('dictionary').description('items and methods of the ledger');
  const which = () => new Argument('<dictionary>', 'which').choices(DICTIONARIES);
  group
    .command('list')
    .description('list the entries of all dictionaries')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((options: OfAccount) => list(context, options, DICTIONARIES));
  group
    .command('create')
    .description('add an entry, and print its number')
    .addArgument(which())
    .argument('<name>', 'its name')
    .option('--refund', 'for an expense item: its payments are refunds')
    .option(...OF_ACCOUNT)
    .action((dictionary: string, name: string, { account, refund }: OfAccount & { refund?: true }) =>
      withCore(context, async (portal) => {
        const draft = { account, name, ...(refund && { refund }) };
        const { id } = await portal.send<Named>('POST', `/portal/dictionaries/${dictionary}`, draft);
        context.out(String(id));
      }),
    );
  group
    .command('rename')
    .description('rename an entry; its ledger entries show the new name')
    .addArgument(which())
    .argument('<id>', 'its number in the list', count)
    .argument('<name>', 'its new name')
    .option(...OF_ACCOUNT)
    .action((dictionary: string, id: number, name: string, { account }: OfAccount) =>
      withCore(context, async (portal) => {
        const entry = await portal.send<Named>('PATCH', `/portal/dictionaries/${dictionary}/${id}`, { account, name });
        context.out(`${dictionary} ${entry.id} is ${entry.name}`);
      }),
    );
}

/** Adds `stayd custom-channel`: sources of direct reservations. */
export function customChannelCommands(program: Command, context: CliContext): void {
  const group = program.command('custom-channel').description('sources of direct bookings');
  group
    .command('list')
    .description('list them')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((options: OfAccount) => list(context, options, [CHANNELS]));
  group
    .command('create')
    .description('add a source, and print its number')
    .argument('<name>', 'its name')
    .option(...OF_ACCOUNT)
    .action((name: string, { account }: OfAccount) =>
      withCore(context, async (portal) => {
        const { id } = await portal.send<Named>('POST', '/portal/custom_channels', { account, name });
        context.out(String(id));
      }),
    );
  group
    .command('rename')
    .description('rename a source; its bookings show the new name')
    .argument('<id>', 'its number in the list', count)
    .argument('<name>', 'its new name')
    .option(...OF_ACCOUNT)
    .action((id: number, name: string, { account }: OfAccount) =>
      withCore(context, async (portal) => {
        const channel = await portal.send<Named>('PATCH', `/portal/custom_channels/${id}`, { account, name });
        context.out(`custom channel ${channel.id} is ${channel.name}`);
      }),
    );
}

const EVENTS = ['required', 'paid', 'deducted', 'refunded', 'returned'];

interface Deposit {
  amount: number;
  paid_amount: number;
  deducted_amount: number;
  pending_refund_amount: number;
  currency: string;
  status: string;
}

/** Adds `stayd deposit`: the outcome of deposits of direct reservations. */
export function depositCommand(program: Command, context: CliContext): void {
  program
    .command('deposit')
    .description('record an event of the deposit of a direct booking')
    .argument('<stay>', 'its stay code')
    .addArgument(new Argument('<event>', 'what happened').choices(EVENTS))
    .argument('[amount]', 'amount in the currency of the deposit; not with returned', amount)
    .option('--reference <text>', 'your own reference, such as a receipt number; each counts once')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action((stay: string, event: string, sum: number | undefined, options: OfAccount & { reference?: string }) =>
      withCore(context, async (portal) => {
        const { account, reference, json } = options;
        const path = `/portal/stays/${encodeURIComponent(stay)}/deposit`;
        const body = { account, event, amount: sum, reference };
        const answer = await portal.send<{ is_new: boolean; deposit_details: Deposit }>('POST', path, body);
        context.out(json ? jsonText(answer) : depositText(stay, answer));
      }),
    );
}

function depositText(
  stay: string,
  { is_new, deposit_details: one }: { is_new: boolean; deposit_details: Deposit },
): string {
  const news = is_new ? '' : ', as it was noted before';
  return `deposit of ${stay}: ${one.status}${news}; of ${one.amount} ${one.currency} asked for, ${one.paid_amount} paid, ${one.deducted_amount} kept, ${one.pending_refund_amount} owed to the guest`;
}

function amount(text: string): number {
  if (!/^\d{1,7}(\.\d{1,3})?$/.test(text)) throw new InvalidArgumentError('Write an amount such as 200 or 49.50.');
  return Number(text);
}

function list(context: CliContext, { account, json }: OfAccount, wanted: readonly string[]): Promise<void> {
  return withCore(context, async (portal) => {
    const listed = await portal.get<Listed>('/portal/dictionaries', { account });
    if (json) return context.out(jsonText(Object.fromEntries(wanted.map((name) => [name, listed[name]]))));
    const rows = wanted.flatMap((name) => (listed[name] ?? []).map((one) => [name, one.id, one.name]));
    context.out(table(['in', 'id', 'name'], rows));
  });
}
