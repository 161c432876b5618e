import type { Kysely } from 'kysely';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorTrx, StayFiguresTable, StayItemsTable, StaysTable } from '../database.ts';
import type { StayFacts } from '../rows/sideValues.ts';
import { NO_PROPERTY } from '../rowFacts.ts';

/** The columns of a stay, and the further figures that reports need. */
export type ReportedStay = Pick<StaysTable, Exclude<keyof StayFiguresTable, keyof StayFacts>> & StayFacts;

type Under = { connection: string; stays: readonly string[] };

const dropFigures = prepared((db: Kysely<Mirror>, { connection, stays }: Under) =>
  db
    .deleteFrom('stay_figures')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), stays)),
);

const dropItems = prepared((db: Kysely<Mirror>, { connection, stays }: Under) =>
  db
    .deleteFrom('stay_items')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), stays)),
);

const storedFigures = prepared((db: Kysely<Mirror>, { connection, stays }: Under) =>
  db
    .selectFrom('stay_figures')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), stays)),
);

const storedItems = prepared((db: Kysely<Mirror>, { connection, stays }: Under) =>
  db
    .selectFrom('stay_items')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), stays))
    .orderBy('stay_code')
    .orderBy('item'),
);

/** Deletes the figures of these stays. */
export async function removeFigures(trx: MirrorTrx, connection: string, stays: readonly string[]): Promise<void> {
  if (stays.length === 0) return;
  await dropFigures(trx, { connection, stays });
  await dropItems(trx, { connection, stays });
}

/** Writes the figures of stays. Figures that a lost stay has left behind are overwritten. */
export async function insertFigures(trx: MirrorTrx, stays: readonly ReportedStay[]): Promise<void> {
  await insertMany(trx, 'stay_figures', stays.map(figureRow), {
    columns: ['connection', 'stay_code'],
    update: figureColumns,
  });
  await insertMany(trx, 'stay_items', stays.flatMap(itemRows), {
    columns: ['connection', 'stay_code', 'item'],
    update: ['amount_minor'],
  });
}

const figureColumns = [
  'reservation_code',
  'property_id',
  'channel_type',
  'channel',
  'status',
  'kind',
  'check_in_date',
  'check_out_date',
  'nights',
  'number_of_guests',
  'booked_date',
  'cancelled_date',
  'lead_days',
  'currency',
  'rate_minor',
  'rental_minor',
  'tax_minor',
  'commission_minor',
  'payment_currency',
  'payment_total_minor',
  'received_minor',
  'balance_minor',
] as const satisfies (keyof StayFiguresTable)[];

/** Finds stays whose figures or items differ from those that their rows require, with the table at fault. */
export async function wrongFigures(
  trx: MirrorTrx,
  connection: string,
  stays: readonly ReportedStay[],
): Promise<Map<string, string[]>> {
  const codes = stays.map((stay) => stay.stay_code);
  const figures = byStay(await storedFigures(trx, { connection, stays: codes }));
  const items = byStay(await storedItems(trx, { connection, stays: codes }));
  const wrong = new Map<string, string[]>();
  for (const stay of stays) {
    const code = stay.stay_code;
    const tables = [
      ...(isSame([figureRow(stay)], figures.get(code)) ? [] : ['stay_figures']),
      ...(isSame(itemRows(stay), items.get(code)) ? [] : ['stay_items']),
    ];
    if (tables.length > 0) wrong.set(code, tables);
  }
  return wrong;
}

function figureRow(stay: ReportedStay): StayFiguresTable {
  return {
    connection: stay.connection,
    stay_code: stay.stay_code,
    reservation_code: stay.reservation_code,
    property_id: stay.property_id ?? NO_PROPERTY,
    channel_type: stay.channel_type,
    channel: stay.channel,
    status: stay.status,
    kind: stay.kind,
    check_in_date: stay.check_in_date,
    check_out_date: stay.check_out_date,
    nights: stay.nights,
    number_of_guests: stay.number_of_guests,
    booked_date: stay.booked_date,
    cancelled_date: stay.cancelled_date,
    lead_days: stay.lead_days,
    currency: stay.currency,
    rate_minor: stay.rate_minor,
    rental_minor: stay.rental_minor,
    tax_minor: stay.tax_minor,
    commission_minor: stay.commission_minor,
    payment_currency: stay.payment_currency,
    payment_total_minor: stay.payment_total_minor,
    received_minor: stay.received_minor,
    balance_minor: stay.balance_minor,
  };
}

function itemRows({ connection, stay_code, items }: ReportedStay): StayItemsTable[] {
  return [...items]
    .map(([item, amount_minor]) => ({ connection, stay_code, item, amount_minor }))
    .toSorted((a, b) => (a.item < b.item ? -1 : 1));
}

function byStay<Row extends { stay_code: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.stay_code, [...(groups.get(row.stay_code) ?? []), row]);
  return groups;
}

function isSame(wanted: readonly object[], stored: readonly object[] = []): boolean {
  if (wanted.length !== stored.length) return false;
  return wanted.every((row, index) => {
    const other = stored[index];
    return other && Object.entries(row).every(([name, value]) => Reflect.get(other, name) === value);
  });
}
