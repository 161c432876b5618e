import { CompiledQuery, Kysely } from 'kysely';
import type { CoreDatabase } from '../../src/core/database.ts';
import { sqliteDialect } from '../../src/store/sqlite/sqlite.ts';
import { openSqliteFile } from '../../src/store/sqlite/sqliteFile.ts';

/** What SQLite says of one step: `SEARCH stays USING INDEX …`, `SCAN stays`, `USE TEMP B-TREE …`. */
export type Step = string;

/** A second connection to a core's database, which tells how SQLite answers what it is asked. */
export class Planner {
  readonly db: Kysely<CoreDatabase>;
  #asked: CompiledQuery[] = [];

  constructor(file: string) {
    this.db = new Kysely({
      dialect: sqliteDialect(openSqliteFile(file)),
      log: ({ query }) => void this.#asked.push(query),
    });
  }

  /** The plan of each query that `work` asks of {@link db}. */
  async plansOf(work: () => Promise<unknown>): Promise<Step[][]> {
    this.#asked = [];
    await work();
    // Asking for plans is asking too.
    const queries = this.#asked.splice(0);
    const plans: Step[][] = [];
    for (const query of queries) plans.push(await this.planOf(query));
    return plans;
  }

  async planOf({ sql, parameters }: CompiledQuery): Promise<Step[]> {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    return (await this.db.executeQuery<{ detail: Step }>(explain)).rows.map((row) => row.detail);
  }

  close(): Promise<void> {
    return this.db.destroy();
  }
}

/** What a query has put together itself may be scanned; a table never, with an index or without. */
const OWN_ROWS = /^SCAN (matching|json_each|CONSTANT ROW)\b/;
/** All rows of the account one after another, in a table that grows with its bookings, past an index that holds them. */
const WHOLE_ACCOUNT =
  /^SEARCH (stays?|reservations?|entry|transactions|conversations?|messages|guests|nights|reviews?|tasks?|inquir(y|ies)|audit) USING (INTEGER PRIMARY KEY|INDEX \w+) \((account_id=\?|account_id=\? AND (row)?id[<>]\?)\)/;

/** The steps that take longer the more there is, whatever is asked for. */
export function scansIn(plans: readonly Step[][]): Step[] {
  // `ANY(…)` is an index that is skipped along because its first columns are not known.
  return plans
    .flat()
    .filter(
      (step) => (step.startsWith('SCAN') && !OWN_ROWS.test(step)) || step.includes('ANY(') || WHOLE_ACCOUNT.test(step),
    );
}
