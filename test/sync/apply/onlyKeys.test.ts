import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { z } from 'zod';
import { dataReader } from '../../../src/client/readData.ts';
import { operations, type OperationId } from '../../../src/contract/index.ts';
import { openStore } from '../../../src/store/store.ts';
import type { Mirror } from '../../../src/sync/tables/database.ts';
import { readAutomationActions } from '../../../src/sync/tables/work/automationActions.ts';
import { readCalendarShareLinks } from '../../../src/sync/tables/portfolio/calendarShareLinks.ts';
import { readChannelAccounts } from '../../../src/sync/tables/listings/channelAccounts.ts';
import { readKnowledgeBases } from '../../../src/sync/tables/work/knowledgeBases.ts';
import { readListings } from '../../../src/sync/tables/listings/listings.ts';
import { readProperties } from '../../../src/sync/tables/portfolio/properties.ts';
import { readPropertyGroups } from '../../../src/sync/tables/portfolio/propertyGroups.ts';
import { readPropertyTags } from '../../../src/sync/tables/portfolio/propertyTags.ts';
import { readStays } from '../../../src/sync/tables/reservations/reservations.ts';
import { readReservationTags } from '../../../src/sync/tables/portfolio/reservationTags.ts';
import type { Page, Reading, RowTable } from '../../../src/sync/tables/rows/resource.ts';
import { readReviews } from '../../../src/sync/tables/conversations/reviews.ts';
import { readRoomTypes } from '../../../src/sync/tables/portfolio/roomTypes.ts';
import { readStaffs } from '../../../src/sync/tables/work/staffs.ts';
import { readTasks } from '../../../src/sync/tables/work/tasks.ts';
import { readTransactions } from '../../../src/sync/tables/account/transactions.ts';
import { valueOf } from '../../contract/dialect/arbitrary.ts';
import { putEmpty } from '../../support/templates.ts';

type Fields = Record<string, unknown>;
type Read = (rows: never[], answer: { raw: Fields[]; quarantined: [] }, reading: Reading) => Page;

interface Kind {
  operation: OperationId;
  rows: string;
  table: RowTable;
  read: Read;
  /** Fields without which a row has no name; of a list within the list any one will do. */
  keys: readonly (readonly string[])[];
}

const byId = [['id']];
const kinds: readonly Kind[] = [
  {
    operation: 'listReservations',
    rows: 'reservations',
    table: 'stays',
    read: readStays as Read,
    keys: [['stay_code', 'reservation_code']],
  },
  { operation: 'listProperties', rows: 'properties', table: 'properties', read: readProperties as Read, keys: byId },
  { operation: 'listRoomTypes', rows: 'room_types', table: 'room_types', read: readRoomTypes as Read, keys: byId },
  {
    operation: 'listPropertyGroups',
    rows: 'groups',
    table: 'property_groups',
    read: readPropertyGroups as Read,
    keys: byId,
  },
  { operation: 'listPropertyTags', rows: 'tags', table: 'property_tags', read: readPropertyTags as Read, keys: byId },
  {
    operation: 'listReservationTags',
    rows: 'reservation_tags',
    table: 'reservation_tags',
    read: readReservationTags as Read,
    keys: byId,
  },
  {
    operation: 'listCalendarShareLinks',
    rows: 'calendar_share_links',
    table: 'calendar_share_links',
    read: readCalendarShareLinks as Read,
    keys: byId,
  },
  {
    operation: 'listChannelAccounts',
    rows: 'channel_accounts',
    table: 'channel_accounts',
    read: readChannelAccounts as Read,
    keys: byId,
  },
  {
    operation: 'listListings',
    rows: 'listings',
    table: 'listings',
    read: readListings as Read,
    keys: [['listing_id'], ['channel_type']],
  },
  {
    operation: 'listTransactions',
    rows: 'transactions',
    table: 'transactions',
    read: readTransactions as Read,
    keys: byId,
  },
  {
    operation: 'listReviews',
    rows: 'reviews',
    table: 'reviews',
    read: readReviews as Read,
    keys: [['reservation_code']],
  },
  { operation: 'listTasks', rows: 'tasks', table: 'tasks', read: readTasks as Read, keys: byId },
  { operation: 'listStaffs', rows: 'staffs', table: 'staffs', read: readStaffs as Read, keys: byId },
  {
    operation: 'listAutomationActions',
    rows: 'actions',
    table: 'automation_actions',
    read: readAutomationActions as Read,
    keys: [['plan_id']],
  },
  {
    operation: 'listKnowledgeBases',
    rows: 'knowledge_bases',
    table: 'knowledge_bases',
    read: readKnowledgeBases as Read,
    keys: byId,
  },
];

const READING = { connection: 'local', zone: 'Europe/Berlin', reviewsBy: 'reservation' } as const;
/** What may stand where a field is due; undefined: it is left out. */
const INSTEAD: readonly unknown[] = [undefined, null, {}, [], 'a word', -1.5, true];

const folder = mkdtempSync(join(tmpdir(), 'stayd-keys-'));
after(() => rmSync(folder, { recursive: true }));

/** Columns that cannot be null. */
async function demandedColumns(): Promise<Map<string, Set<string>>> {
  const file = join(folder, 'mirror.db');
  await putEmpty('mirror', file);
  const store = await openStore<Mirror>({ kind: 'sqlite', file });
  const demanded = new Map<string, Set<string>>();
  for (const { table } of kinds) {
    const { rows } = await sql<{
      name: string;
      notnull: number;
    }>`select name, "notnull" from pragma_table_info(${table})`.execute(store.db);
    demanded.set(table, new Set(rows.filter((row) => row.notnull === 1).map((row) => row.name)));
  }
  await store.close();
  return demanded;
}

/** Every field of a value, by the names that lead to it. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const own = path.length === 0 ? [] : [path];
  if (typeof value !== 'object' || value === null) return own;
  const entries = Array.isArray(value)
    ? value.map((one: unknown, index) => [index, one] as const)
    : Object.entries(value);
  return [...own, ...entries.flatMap(([name, one]) => pathsOf(one, [...path, name]))];
}

function withInstead(row: Fields, path: readonly (string | number)[], instead: unknown): Fields {
  const changed = structuredClone(row);
  let owner: unknown = changed;
  for (const name of path.slice(0, -1)) owner = Reflect.get(owner as object, name);
  const last = path.at(-1) ?? '';
  if (instead === undefined) Reflect.deleteProperty(owner as object, last);
  else Reflect.set(owner as object, last, instead);
  return changed;
}

/** A row with all its fields, lists with an entry. */
function wholeRow(schema: z.ZodType): Fields {
  const rows = fc.sample(valueOf(schema), { numRuns: 300, seed: 17 }) as Fields[];
  const filled = rows.map((row) => ({ row, paths: pathsOf(row).length }));
  return filled.reduce((a, b) => (b.paths > a.paths ? b : a)).row;
}

describe('another deployment', async () => {
  const demanded = await demandedColumns();
  for (const { operation, rows, table, read, keys } of kinds) {
    it(`may leave out of ${rows}, or spell otherwise, all but their key`, async () => {
      const { element } = (operations[operation].data as unknown as { shape: Record<string, { element: z.ZodType }> })
        .shape[rows] as { element: z.ZodType };
      const base: Fields = { ...wholeRow(element), ...(keys === byId && { id: 17 }) };
      for (const field of keys.flat()) if (field !== 'id') base[field] = `name-${field}`;
      const reader = dataReader(operations[operation]);
      let mutants = 0;
      for (const path of pathsOf(base)) {
        for (const instead of INSTEAD) {
          mutants += 1;
          const row = withInstead(base, path, instead);
          const what = `${path.join('.')} as ${JSON.stringify(instead)}`;
          const answer = await reader.read({ [rows]: [row], total: 1 });
          const { rows: values } = { rows: (answer.data as Record<string, never[]>)[rows] ?? [] };
          const page = read(values, { raw: [...answer.raw], quarantined: [] }, READING);
          const isKey = keys.some((names) => names.includes(String(path[0])));
          if (page.quarantined.length > 0) {
            assert.ok(isKey, `${what}: ${page.quarantined[0]?.problem}`);
            assert.match(page.quarantined[0]?.problem ?? '', new RegExp(`^${String(path[0])}: `));
            continue;
          }
          const [incoming] = page.rows;
          assert.ok(incoming, what);
          const columns = incoming.columns();
          const unknown = Object.keys(columns).filter((name) => columns[name] === null);
          assert.deepEqual(
            unknown.filter((name) => demanded.get(table)?.has(name)),
            [],
            what,
          );
          for (const value of Object.values(columns)) assert.ok(!Number.isNaN(value), what);
          incoming.aside();
        }
      }
      assert.ok(mutants > 20);
      // A row without its name is quarantined, alone.
      const nameless = { ...base };
      for (const field of keys[0] ?? []) Reflect.deleteProperty(nameless, field);
      const answer = await reader.read({ [rows]: [nameless, base], total: 2 });
      const values = (answer.data as Record<string, never[]>)[rows] ?? [];
      const page = read(values, { raw: [...answer.raw], quarantined: [] }, READING);
      assert.deepEqual([page.rows.length, page.quarantined.length], [1, 1]);
      assert.match(page.quarantined[0]?.problem ?? '', /: missing$/);
    });
  }
});
