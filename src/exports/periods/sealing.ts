import { createHash } from 'node:crypto';
import { instantOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import { periodLife } from './states.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { ExportPeriodsTable } from '../tables/exportTables.ts';
import { lastLocked, storePeriods } from './periodTable.ts';
import type { ExportPorts } from '../ports.ts';
import type { BooksReport, EmittedEntry } from '../run/order.ts';
import { monthsFromTo } from './months.ts';
import { entryRow } from '../jobs/runTable.ts';

/** A month that a closing has closed. */
export interface ClosedPeriod {
  readonly period: string;
  readonly state: 'soft' | 'locked';
  readonly entries: number;
  readonly digest: string;
}

/** The hash before the first sealed entry. */
export const NO_CHAIN = '0'.repeat(64);

/** Stores the entries of months in order, each chained to its predecessor, and locks all months together at the end. */
export class Sealing {
  readonly #ports: ExportPorts;
  readonly #connection: string;
  readonly #months = new Map<string, Month>();
  #chain: string;

  constructor(ports: ExportPorts, connection: string, chain: string) {
    this.#ports = ports;
    this.#connection = connection;
    this.#chain = chain;
  }

  get first(): string | undefined {
    return this.#months.keys().next().value;
  }

  entriesOf(period: string): number {
    return this.#months.get(period)?.entries ?? 0;
  }

  async count(entries: readonly EmittedEntry[]): Promise<void> {
    for (const { entry } of entries) this.#month(entry.date.slice(0, 7)).entries += 1;
  }

  async seal(entries: readonly EmittedEntry[]): Promise<void> {
    const rows = entries.map((one) => {
      const month = this.#month(one.entry.date.slice(0, 7));
      const row = entryRow(this.#connection, one);
      month.entries += 1;
      for (const { currency, amount } of one.entry.postings) month.add(currency, amount);
      this.#chain = chained(this.#chain, row.body);
      month.digest = this.#chain;
      return { ...row, seal: month.seal, position: month.entries, chain: this.#chain };
    });
    await this.#ports.store.transaction(async (trx) => {
      await insertMany(trx, 'export_entries', rows, {
        columns: ['connection', 'entry_id'],
        update: ['group_code', 'group_number', 'base', 'suffix', 'body', 'seal', 'position', 'chain'],
      });
    });
  }

  /**
   * Locks the months in one transaction.
   * @returns the locked months, from the first with an entry on
   */
  async lock(order: { from: string; to: string; report: BooksReport; reason: string | null }): Promise<ClosedPeriod[]> {
    const at = instantOf(this.#ports.clock.now());
    const rows: ExportPeriodsTable[] = [];
    let digest = (await lastLocked(this.#ports, this.#connection))?.digest ?? NO_CHAIN;
    for (const period of monthsFromTo(order.from, order.to)) {
      const month = this.#month(period);
      if (month.entries > 0) digest = month.digest;
      rows.push({
        connection: this.#connection,
        period,
        state: next(periodLife, null, 'lock'),
        seal: month.seal,
        digest,
        policy_hash: order.report.policyHash,
        entries: month.entries,
        totals: JSON.stringify(month.totals()),
        at,
      });
    }
    await this.#ports.store.transaction(async (trx) => {
      await storePeriods(this.#ports, trx, { rows, action: 'lock', reason: order.reason });
    });
    return rows.map(({ period, entries, digest: tip }) => ({ period, state: 'locked', entries, digest: tip }));
  }

  #month(period: string): Month {
    let month = this.#months.get(period);
    if (!month) this.#months.set(period, (month = new Month(this.#ports.ids())));
    return month;
  }
}

class Month {
  readonly seal: string;
  entries = 0;
  digest = NO_CHAIN;
  readonly #debits = new Map<string, bigint>();

  constructor(seal: string) {
    this.seal = seal;
  }

  add(currency: string, amount: number): void {
    if (amount > 0) this.#debits.set(currency, (this.#debits.get(currency) ?? 0n) + BigInt(amount));
  }

  totals(): { currency: string; debit: string; credit: string }[] {
    return [...this.#debits]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, sum]) => ({ currency, debit: `${sum}`, credit: `${sum}` }));
  }
}

/** Returns the end of a hash chain after one more entry. */
export function chained(before: string, body: string): string {
  return createHash('sha256').update(`${before}\n${body}`).digest('hex');
}
