import type { Kysely } from 'kysely';
import type { CallOptions, Client } from '../../../client/client.ts';
import { reservation } from '../../../contract/reservations.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { GuestsTable, Mirror, MirrorTrx } from '../database.ts';
import { openedGuest, sealedGuest } from '../rows/sealedValues.ts';
import { allPages, PAGE_ROWS } from '../rows/allPages.ts';
import { customChannels } from '../account/customChannels.ts';
import { guestRows } from './guests.ts';
import { insertNights, removeNights, type StayOfNights, wrongNights } from './nights.ts';
import { writeReservations, wrongReservations } from './reservationTotals.ts';
import { properties } from '../portfolio/properties.ts';
import { stayFacts } from './stayFacts.ts';
import { insertFigures, removeFigures, type ReportedStay, wrongFigures } from './stayFigures.ts';
import {
  type Columns,
  type IncomingRow,
  type MirrorResource,
  named,
  type NewestRows,
  type Page,
  type Reading,
  rowReader,
  type SideTables,
  textIn,
  type WrittenRow,
} from '../rows/resource.ts';
import { namedStay, stayColumns } from './stays.ts';
import { sharedTaxes, writeTaxShares } from './storedTaxShares.ts';

export const readStays = rowReader({
  schema: reservation,
  keyFields: ['stay_code', 'reservation_code'],
  otherNames: (stay) => namedStay(stay) ?? {},
  rowKey: (stay) => stay.stay_code,
  key: (stay) => stay.reservation_code,
  columns: stayColumns,
  guests: (stay, personal, { connection }) => guestRows(connection, stay.stay_code, stay.guests, personal),
  aside: (stay, reading) => ({ stay: stayFacts(stay, reading) }),
});

/** A check-out date later than any real one; the next constant is a date earlier than any real one. */
export const END_OF_TIME = '2199-12-31';
export const BEGINNING_OF_TIME = '1900-01-01';

/** The fields of a stay that its conversation shows. */
const SHOWN_IN_CONVERSATIONS: ReadonlySet<string> = new Set([
  'conversation_id',
  'check_in_date',
  'check_out_date',
  'listing_id',
  'property_id',
]);

export const reservations: MirrorResource & { newest: NewestRows } = {
  name: 'reservation',
  table: 'stays',
  keyColumn: 'stay_code',
  groupColumn: 'reservation_code',
  hasParts: true,
  names(raw) {
    const channel = raw['custom_channel'];
    const id = typeof channel === 'object' && channel !== null ? Reflect.get(channel, 'id') : null;
    return [...named(properties.name, raw['property_id']), ...named(customChannels.name, id)];
  },
  touches(raw, diff) {
    const conversation = textIn(raw, 'conversation_id');
    const isShown = diff === null || diff.some(({ path }) => SHOWN_IN_CONVERSATIONS.has(path));
    return conversation !== undefined && isShown ? [{ resource: 'conversation', key: conversation }] : [];
  },
  sideTables: { clear, write, sum, compare },
  async lookUp(client, reading, key, options) {
    return allPages(async (at) => {
      const answer = await client.call('listReservations', { reservation_code: key, ...at }, options);
      return readStays(answer.data.reservations, answer, reading);
    });
  },
  newest: {
    event: 'reservation_created',
    read: (client, reading, options) => newestStays(client, reading, options, 0),
  },
};

/** Reads a page of the list that has the reservations made last first. */
export async function newestStays(
  client: Client,
  reading: Reading,
  options: CallOptions,
  offset: number,
): Promise<Page> {
  const whenever = { start_check_out_date: BEGINNING_OF_TIME, end_check_out_date: END_OF_TIME };
  const input = { ...whenever, order_by: 'created_at', offset, limit: PAGE_ROWS } as const;
  const answer = await client.call('listReservations', input, options);
  return readStays(answer.data.reservations, answer, reading);
}

async function clear(trx: MirrorTrx, connection: string, rowKeys: readonly (string | number)[]): Promise<void> {
  const stays = rowKeys.map(String);
  await removeNights(trx, connection, stays);
  await removeFigures(trx, connection, stays);
  await dropGuests(trx, { connection, stays });
}

async function write(trx: MirrorTrx, _connection: string, rows: readonly WrittenRow[]): Promise<void> {
  const stays = rows.map(({ row, columns }) => reported(row, columns));
  await insertNights(trx, stays);
  await insertFigures(trx, stays);
  await insertMany(
    trx,
    'guests',
    rows.flatMap(({ row }) => row.guests.map((guest) => sealedGuest(trx, guest))),
  );
}

/**
 * Sums up after any room was written: the reservation, and the values that its rooms share, follow from all of them.
 */
async function sum(...[trx, connection, codes, at, written]: Parameters<SideTables['sum']>): Promise<void> {
  await writeReservations(trx, connection, codes, at, written);
  await writeTaxShares(trx, connection, codes);
}

async function compare(
  trx: MirrorTrx,
  connection: string,
  rows: readonly IncomingRow[],
): Promise<Map<string, string[]>> {
  const codes = [...new Set(rows.map((row) => row.key))];
  const taxes = await sharedTaxes(trx, connection, codes);
  const stays = rows.map((row) => {
    const stay = reported(row, { connection, ...row.columns() });
    const share = taxes.get(stay.stay_code);
    return share === undefined ? stay : { ...stay, tax_minor: share };
  });
  const nights = new Set(await wrongNights(trx, connection, stays));
  const figures = await wrongFigures(trx, connection, stays);
  const totals = await wrongReservations(trx, connection, codes);
  const wrong = new Map<string, string[]>();
  for (const { rowKey, key } of rows) {
    const paths = (totals.get(key) ?? []).map((column) => `reservations.${column}`);
    if (nights.has(String(rowKey))) paths.push('stay_nights');
    paths.push(...(figures.get(String(rowKey)) ?? []));
    if (paths.length > 0) wrong.set(String(rowKey), paths);
  }
  return wrong;
}

/** Returns a stay in the form from which nights and figures are made. */
function reported(row: IncomingRow, columns: Columns): StayOfNights & ReportedStay {
  return Object.assign({}, columns, row.aside().stay) as unknown as StayOfNights & ReportedStay;
}

const dropGuests = prepared((db: Kysely<Mirror>, arg: { connection: string; stays: readonly string[] }) =>
  db
    .deleteFrom('guests')
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('stay_code'), arg.stays)),
);

/** Reads the stored personal rows of these stays. */
export async function storedGuests(
  db: Kysely<Mirror>,
  question: { connection: string; stays: readonly string[] },
): Promise<GuestsTable[]> {
  return (await guestsOfStays(db, question)).map((guest) => openedGuest(db, guest));
}

const guestsOfStays = prepared((db: Kysely<Mirror>, arg: { connection: string; stays: readonly string[] }) =>
  db
    .selectFrom('guests')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where((eb) => inList(eb.ref('stay_code'), arg.stays)),
);
