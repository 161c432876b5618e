import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { openStore } from '../../src/store/store.ts';
import type { Place } from './service.ts';

/** The figures of the real file, computed apart from any import. */
export const CONTROL = {
  bookings: 118_564,
  held: { bookings: 75_581, nights: 258_756, amount_minor: 2_643_645_704, with_amount: 74_569 },
  cancelled: { bookings: 42_983, nights: 149_677, amount_minor: 1_627_775_611 },
  incomes: 74_569 + 14_460,
  rejected: 826,
};

type Rows = Record<string, string | number | null>[];

/** Read only, so that nothing is held up in the service that writes the file. */
function askSqlite(file: string, text: string): Rows {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return database.prepare<[], Rows[number]>(text).all();
  } finally {
    database.close();
  }
}

async function askPostgres(url: string, schema: 'core' | 'mirror', text: string): Promise<Rows> {
  const store = await openStore<unknown>({ kind: 'postgres', url, schema });
  try {
    const { rows } = await sql.raw<Rows[number]>(text).execute(store.db);
    return rows;
  } finally {
    await store.close();
  }
}

/** Reads one half's tables directly, beside the running service. */
export class Facts {
  readonly #ask: (half: 'core' | 'mirror', text: string) => Promise<Rows>;

  constructor(place: Place) {
    const { databaseUrl, dataDir } = place;
    this.#ask = databaseUrl
      ? (half, text) => askPostgres(databaseUrl, half, text)
      : (half, text) => Promise.resolve(askSqlite(join(dataDir, `${half}.db`), text));
  }

  async number(half: 'core' | 'mirror', text: string): Promise<number> {
    const [row] = await this.#ask(half, text);
    return Number(Object.values(row ?? {})[0] ?? 0);
  }

  rows(half: 'core' | 'mirror', text: string): Promise<Rows> {
    return this.#ask(half, text);
  }

  /** True when nothing waits anywhere: no event to hand out or deliver, no key to read. */
  async settled(): Promise<boolean> {
    const waiting =
      (await this.number('core', 'select count(*) from outbox where fanned_out = 0')) +
      (await this.number('core', 'select count(*) from deliveries where outcome is null')) +
      (await this.number('mirror', 'select count(*) from dirty_keys')) +
      (await this.number('mirror', "select count(*) from inbox where state = 'pending'"));
    return waiting === 0;
  }

  /** The same control totals out of the mirror's tables. */
  async mirrored() {
    const of = async (status: string) => ({
      bookings: await this.number('mirror', `select count(*) from stays where status = '${status}'`),
      nights: await this.number('mirror', `select count(*) from stay_nights where status = '${status}'`),
      amount_minor: await this.number('mirror', `select sum(rate_minor) from stays where status = '${status}'`),
    });
    const accepted = await of('accepted');
    return {
      bookings: await this.number('mirror', 'select count(*) from reservations'),
      held: {
        ...accepted,
        with_amount: await this.number(
          'mirror',
          "select count(*) from stays where status = 'accepted' and rate_minor > 0",
        ),
      },
      cancelled: await of('cancelled'),
      incomes: await this.number('mirror', 'select count(*) from transactions where deleted_at is null'),
    };
  }

  /** Deliveries that the core knows as delivered and the inbox does not hold: acknowledged and lost. */
  async lostAcknowledged(): Promise<number> {
    const page = 20_000;
    let lost = 0;
    for (let after = ''; ;) {
      const acknowledged = await this.rows(
        'core',
        `select event_id from deliveries where outcome = 'delivered' and event_id > '${after}' order by event_id limit ${page}`,
      );
      const last = acknowledged.at(-1)?.['event_id'];
      if (last === undefined) return lost;
      const held = await this.rows(
        'mirror',
        `select event_id from inbox where event_id > '${after}' and event_id <= '${last}'`,
      );
      const ids = new Set(held.map((row) => row['event_id']));
      lost += acknowledged.filter((row) => !ids.has(row['event_id'] ?? '')).length;
      after = String(last);
    }
  }
}
