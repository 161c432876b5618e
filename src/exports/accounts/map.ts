import type { ItemClass } from '../../kernel/books.ts';
import { chosenConnection } from './account.ts';
import { accountPart } from '../journal/policy.ts';
import type { BookSettings, ChartSetting } from '../journal/settings.ts';
import { grouped } from '../journal/grouped.ts';
import { mapAccounts, type MappedAccount } from './mapAccounts.ts';
import type { ExportPorts } from '../ports.ts';

type Direction = 'income' | 'expense';

interface Used {
  direction: Direction;
  id: number;
  name: string;
  entries: number;
}

/**
 * Items, methods, deposits and accounts that the ledger uses and the configuration does not map, with lines for it that
 * would map them.
 */
interface MapReport {
  readonly connection: string;
  readonly items: readonly (Used & { proposed: ItemClass })[];
  readonly methods: readonly (Used & { proposed: string })[];
  /** Channels with deposits for which the configuration says neither `charge` nor `hold`. */
  readonly deposits: readonly { channel: string; stays: number }[];
  /** Accounts that a job cannot name: any job of the configuration, or the requested one. */
  readonly accounts: readonly MappedAccount[];
  /** YAML for the operator to check; empty if nothing is missing. */
  readonly proposal: string;
}

/**
 * Words that suggest the class of an item, tried in this order. Each direction ends with the class for everything else.
 */
const ITEM_WORDS: Record<Direction, readonly (readonly [RegExp, ItemClass])[]> = {
  income: [
    [/deposit|kaution|caution/i, 'deposit'],
    [/tax|steuer|taxe/i, 'tax_collected'],
    [/clean|reinigung|m[ée]nage/i, 'cleaning'],
    [/transfer|umbuchung|virement/i, 'transfer'],
    [/accommodation|rent|room|night|stay|unterkunft|miete|loyer|h[ée]bergement/i, 'accommodation'],
    [/./, 'extra'],
  ],
  expense: [
    [/refund|erstattung|rembours/i, 'refund'],
    [/deposit|kaution|caution/i, 'deposit'],
    [/commission|provision/i, 'commission'],
    [/payment fee|transaction fee|card fee|processing|stripe|paypal/i, 'payment_fee'],
    [/owner.*(pay|settle)|(pay|settle).*owner|auszahlung/i, 'owner_payout'],
    [/owner|eigent[üu]mer|propri[ée]taire/i, 'owner_expense'],
    [/tax|steuer|taxe/i, 'tax_paid'],
    [/transfer|umbuchung|virement/i, 'transfer'],
    [/./, 'opex'],
  ],
};

const METHOD_WORDS: readonly (readonly [RegExp, string])[] = [
  [/channel|payout|auszahlung|collect/i, 'channel'],
  [/bank|wire|sepa|[üu]berweisung|virement/i, 'Assets:Bank'],
  [/cash|bar\b|esp[èe]ces/i, 'Assets:Cash'],
  [/card|karte|stripe|carte/i, 'Assets:Clearing:Cards'],
];

/** A request for a {@link MapReport}. */
export interface MapOrder {
  readonly connection?: string | undefined;
  /** The job whose accounts to examine. Default: all jobs of the configuration. */
  readonly for?: string | undefined;
}

/**
 * Finds what the ledger uses and the configuration does not map.
 * @throws UsageError if the job does not exist, or the connection needs a name
 */
export async function mapOf(ports: ExportPorts, order: MapOrder): Promise<MapReport> {
  const connection = await chosenConnection(ports.store.db, order.connection);
  const settings = ports.bookOf(connection);
  const reader = ports.reader();
  try {
    const uses = await reader.rows<Use>(USES, [connection]);
    const items = usedBy(uses, ({ item_id: id, item_name: name }) => ({ id, name })).filter(
      ({ direction, id }) => !settings.items[direction][id],
    );
    const methods = usedBy(uses, ({ payment_method_id: id, payment_method_name: name }) => ({ id, name })).filter(
      ({ direction, id }) => !settings.methods[direction][id],
    );
    const channels = await reader.rows<ChannelOfDeposits>(CHANNELS, [connection]);
    const deposits = channels.filter((one) => isUnsaid(settings, one));
    const found = {
      items: items.map((one) => ({ ...one, proposed: proposedClass(one) })),
      methods: methods.map((one) => ({ ...one, proposed: proposedAccount(one) })),
      deposits: byChannel(deposits),
      accounts: await mapAccounts(ports, (text, values) => reader.rows(text, values), { connection, job: order.for }),
    };
    return { connection, ...found, proposal: proposalOf(connection, found, settings) };
  } finally {
    await reader.close();
  }
}

/** An item with a method of payment, as entries of the ledger have them, with the names of the newest. */
interface Use {
  direction: Direction;
  item_id: number;
  item_name: string;
  payment_method_id: number;
  payment_method_name: string;
  entries: number;
  newest: number;
}

/** An index of its own has all that is counted. */
const USES = `
select used.direction, used.item_id, used.payment_method_id, used.entries, used.newest,
  entry.item_name, entry.payment_method_name
from (
  select direction, item_id, payment_method_id, count(*) as entries, max(id) as newest from transactions
  where connection = $1 and deleted_at is null group by direction, item_id, payment_method_id
) used join transactions entry on entry.connection = $1 and entry.id = used.newest`;

/** Sums the uses of each item, or of each method: income first, by id, with the name in the newest entry. */
function usedBy(uses: readonly Use[], of: (use: Use) => Pick<Used, 'id' | 'name'>): Used[] {
  const oldestFirst = uses.toSorted((a, b) => Number(a.newest) - Number(b.newest));
  const found = [...grouped(oldestFirst, (use) => `${use.direction} ${of(use).id}`).values()].flatMap((same) => {
    const last = same.at(-1);
    const entries = same.reduce((sum, use) => sum + Number(use.entries), 0);
    return last === undefined ? [] : [{ direction: last.direction, ...of(last), entries }];
  });
  return found.toSorted((a, b) => b.direction.localeCompare(a.direction) || a.id - b.id);
}

interface ChannelOfDeposits {
  channel: string;
  channel_type: string;
  property_id: number;
  stays: number;
}

const CHANNELS = `
select coalesce(custom_channel, channel_type) as channel, channel_type, property_id, count(*) as stays from stays
where connection = $1 and deleted_at is null and deposit_paid_minor > 0
group by coalesce(custom_channel, channel_type), channel_type, property_id
order by 1, 3`;

/** Sums the stays of each channel, because a channel may have deposits at many properties. */
function byChannel(found: readonly ChannelOfDeposits[]): { channel: string; stays: number }[] {
  return [...grouped(found, ({ channel }) => channel)].map(([channel, own]) => ({
    channel,
    stays: own.reduce((sum, { stays }) => sum + Number(stays), 0),
  }));
}

function isUnsaid(settings: BookSettings, { channel, channel_type, property_id }: ChannelOfDeposits): boolean {
  const own = settings.channels[channel] ?? settings.channels[channel_type];
  return (settings.properties[property_id]?.deposits ?? own?.deposits ?? settings.deposits.kind) === null;
}

function proposedClass({ direction, name }: Used): ItemClass {
  const words = ITEM_WORDS[direction];
  return words.find(([pattern]) => pattern.test(name))?.[1] ?? (direction === 'income' ? 'extra' : 'opex');
}

function proposedAccount({ name }: Used): string {
  return METHOD_WORDS.find(([pattern]) => pattern.test(name))?.[1] ?? `Assets:Clearing:${accountPart(name)}`;
}

type Found = Pick<MapReport, 'items' | 'methods' | 'deposits' | 'accounts'>;

function proposalOf(
  connection: string,
  { items, methods, deposits, accounts }: Found,
  { chart }: BookSettings,
): string {
  if (items.length + methods.length + deposits.length + accounts.length === 0) return '';
  const channels = [...new Set(deposits.map(({ channel }) => channel))];
  const lines = [
    ...chartLines(accounts, chart),
    ...section('items', items),
    ...section('methods', methods),
    ...(channels.length === 0 ? [] : ['      channels:']),
    ...channels.map(
      (channel) => `        ${JSON.stringify(channel)}: { deposits: charge }  # or hold: a card is only authorised`,
    ),
  ];
  // The configuration refuses a key with nothing below it.
  const off = lines.every((line) => line.trimStart().startsWith('#')) ? '# ' : '';
  return [`${off}exports:`, `${off}  books:`, `${off}    ${connection}:`, ...lines].join('\n');
}

/**
 * Writes the lines of the chart. Numbers of a country's chart come from the accountant, so those lines are left to be
 * filled in.
 */
function chartLines(accounts: Found['accounts'], chart: BookSettings['chart']): string[] {
  if (accounts.length === 0) return [];
  const isWritten = accounts.some((one) => !one.isOfCountry || one.name !== null);
  return [
    isWritten ? '      chart:' : '      # chart:  # numbers of your chart, from your accountant',
    ...accounts.flatMap((one) => {
      const line = `        ${JSON.stringify(one.account)}: `;
      const said = chart[one.account];
      if (!one.isOfCountry) return [`${line}${chartLine(one, said)}`];
      if (one.name !== null) return [`${line}${chartLine(one, said)}; its number in your chart as code`];
      return [`        # ${JSON.stringify(one.account)}: { code: "" }  # ${one.type}, ${oneLine(one.title)}`];
    }),
  ];
}

/** Writes the line that replaces the existing line of an account. */
function chartLine({ title, type, code, name }: MappedAccount, said: ChartSetting | undefined): string {
  const values = { title: said?.title, code: code ?? said?.code, name: name ?? said?.name, tax: said?.tax };
  const written = Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return `{ ${written.join(', ')} }  # ${type}, ${oneLine(title)}`;
}

function section(title: string, found: readonly (Used & { proposed: string })[]): string[] {
  if (found.length === 0) return [];
  const directions = (['income', 'expense'] as const).filter((one) => found.some(({ direction }) => direction === one));
  return [
    `      ${title}:`,
    ...directions.flatMap((one) => [
      `        ${one}:`,
      ...found
        .filter(({ direction }) => direction === one)
        .map(
          ({ id, name, proposed, entries }) => `          ${id}: ${proposed}  # ${oneLine(name)}, ${entries} entries`,
        ),
    ]),
  ];
}

/** Removes line ends, because a name from outside must not become a line of the configuration. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
