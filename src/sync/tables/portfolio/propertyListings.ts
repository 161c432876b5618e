import type { Kysely } from 'kysely';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, PropertyListingsTable } from '../database.ts';
import type { SideTables } from '../rows/resource.ts';

/** The listings as which a property is posted. */
export const propertyListings: SideTables = {
  async clear(trx, connection, rowKeys) {
    await drop(trx, { connection, properties: rowKeys.map(Number) });
  },
  async write(trx, connection, rows) {
    await insertMany(
      trx,
      'property_listings',
      rows.flatMap(({ row }) => rowsOf(connection, row)),
      { columns: ['connection', 'property_id', 'listing'], update: ['currency'] },
    );
  },
  async sum() {},
  async compare(trx, connection, rows) {
    const found = await stored(trx, { connection, properties: rows.map((row) => Number(row.rowKey)) });
    const isWrong = (row: Source) => {
      const own = found.filter((one) => one.property_id === Number(row.rowKey));
      return textOf(own) !== textOf(rowsOf(connection, row));
    };
    return new Map(rows.filter(isWrong).map((row) => [String(row.rowKey), ['property_listings']]));
  },
};

type Source = Parameters<SideTables['compare']>[2][number];

function rowsOf(connection: string, row: Source): PropertyListingsTable[] {
  const byListing = new Map((row.aside().listings ?? []).map((one) => [one.listing, one]));
  return [...byListing.values()].map(({ listing, currency }) => ({
    connection,
    property_id: Number(row.rowKey),
    listing,
    currency,
  }));
}

function textOf(rows: readonly PropertyListingsTable[]): string {
  return JSON.stringify(rows.map(({ listing, currency }) => `${listing} ${currency}`).toSorted());
}

type Under = { connection: string; properties: readonly number[] };

const drop = prepared((db: Kysely<Mirror>, { connection, properties }: Under) =>
  db
    .deleteFrom('property_listings')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('property_id'), properties)),
);

const stored = prepared((db: Kysely<Mirror>, { connection, properties }: Under) =>
  db
    .selectFrom('property_listings')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('property_id'), properties)),
);
