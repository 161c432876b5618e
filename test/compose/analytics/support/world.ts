import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { migrateMirror } from '../../../../src/compose/analytics/migrateMirror.ts';
import { openStore } from '../../../../src/store/store.ts';
import type { Mirror } from '../../../../src/sync/tables/database.ts';
import { startTestService, type TestService } from '../../../support/service.ts';

export type Cells = Record<string, string | number | null>;

/** What a raw row may hold and jsonb refuses: the character 0 and half a pair, beside text that only looks like it. */
export const HOSTILE = { note: `a\u0000b\ud83d c\\u0000 d`, emoji: '🏠' };

const DAYS = 12;
/** Dates can be booked for three years. */
export const YEAR = new Date().getUTCFullYear() + 2;

/** A service that mirrors itself into SQLite, with something in nearly every table. */
export async function startFilled(): Promise<TestService> {
  const service = await startTestService();
  await service.portal('POST', '/portal/sandbox/simulations', { days: DAYS, properties: 2, seed: 2833 });
  const { properties } = await service.v3('GET', '/properties');
  const property_id: number = properties[0].id;
  const stay = {
    property_id,
    check_in_date: `${YEAR}-05-01`,
    check_out_date: `${YEAR}-05-04`,
    guest_name: 'Yuki Sato',
  };
  const money = { rate_amount: 45_000, commission_amount: 0, received_amount: 1_000, currency: 'JPY' };
  await service.v3('POST', '/reservations', { ...stay, ...money, remarks: 'allergic to nuts' });
  const dinars = { rate_amount: 12.345, commission_amount: 0, received_amount: 0, currency: 'KWD' };
  const later = { check_in_date: `${YEAR}-06-01`, check_out_date: `${YEAR}-06-02` };
  const gone = await service.v3('POST', '/reservations', { ...stay, ...later, ...dinars });
  const expense = { direction: 'expense', property_id, item_id: 107, payment_method_id: 115, amount: 12.5 };
  await service.v3('POST', '/transactions', { ...expense, currency: 'EUR' });
  await service.v3('POST', '/tags', { name: 'Sea view' });
  await service.settled();
  await service.portal('POST', '/portal/reconcile', {});
  await service.portal('POST', '/portal/exports/book', {});
  await service.run(`update mirror.stays set raw = '${JSON.stringify(HOSTILE)}' where stay_code = '${codeOf(gone)}'`);
  await service.run(`update mirror.properties set deleted_at = changed_at where id = ${properties[1].id}`);
  // From here on nothing in it changes.
  await service.stop();
  return service;
}

function codeOf(made: { reservation_code?: string; reservation_codes?: string[] }): string {
  return made.reservation_code ?? made.reservation_codes?.[0] ?? '';
}

/** Puts the rows of a mirror in SQLite into a fresh one in PostgreSQL, with the views of this version. */
export async function copyToPostgres(dataDir: string, url: string): Promise<void> {
  const store = await openStore<Mirror>({ kind: 'postgres', url, schema: 'mirror' });
  await migrateMirror(store);
  await store.close();
  const file = new Database(join(dataDir, 'mirror.db'), { readonly: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query(
      `select tablename from pg_tables where schemaname = 'mirror' and tablename not like 'kysely%'`,
    );
    const there = file.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all();
    for (const { tablename } of rows.filter((row) => there.includes(row.tablename))) {
      const all = JSON.stringify(file.prepare(`select * from "${tablename}"`).all());
      await client.query(`truncate mirror."${tablename}"`);
      await client.query(
        `insert into mirror."${tablename}" select * from json_populate_recordset(null::mirror."${tablename}", $1)`,
        [all],
      );
    }
  } finally {
    await client.end();
    file.close();
  }
}

/** A database that is asked in one session. */
export interface Asked {
  ask(text: string): Promise<Cells[]>;
  close(): Promise<void>;
}

/** Opens PostgreSQL, perhaps as a role; every value comes as the text that PostgreSQL writes. */
export async function openAt(url: string, role?: { name: string; password: string }): Promise<Asked> {
  const place = new URL(url);
  if (role) Object.assign(place, { username: role.name, password: role.password });
  const client = new pg.Client({ connectionString: place.href, types: { getTypeParser: () => String } });
  await client.connect();
  await client.query(`set time zone 'America/New_York'`);
  return {
    ask: async (text) => (await client.query<Cells>(text)).rows,
    close: () => client.end(),
  };
}

/** Runs one question on PostgreSQL. */
export async function ask(url: string, text: string, role?: { name: string; password: string }): Promise<Cells[]> {
  const opened = await openAt(url, role);
  try {
    return await opened.ask(text);
  } finally {
    await opened.close();
  }
}

/** Opens the mirror of a data directory for questions. */
export function openFile(dataDir: string): { ask(text: string): Cells[]; close(): void } {
  const database = new Database(join(dataDir, 'mirror.db'), { readonly: true });
  return {
    ask: (text) => database.prepare<[], Cells>(text).all(),
    close: () => void database.close(),
  };
}
