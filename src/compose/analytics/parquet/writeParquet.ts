import { type Kysely, sql } from 'kysely';
import type { Config } from '../../../config.ts';
import { parquetChunks } from '../../../exports/formats/writing/parquetFile.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { sha256Hex } from '../../../kernel/signature.ts';
import { readSnapshot } from '../../../store/queries/readRows.ts';
import type { Mirror } from '../../../sync/tables/database.ts';
import { erasuresText, readErasures } from '../../privacy/erasureLog.ts';
import { locationOf } from '../../stores/stores.ts';
import { version } from '../../version.ts';
import { readRelations } from '../relations.ts';
import { type AnalystView, analystViews, tablesForAnalysts } from '../views.ts';
import { parquetCells, parquetColumn } from './columns.ts';
import { type ParquetManifest, readManifest, removeUnnamed, writeManifest } from './manifest.ts';
import { type ParquetPlace, parquetPlace } from './place.ts';
import { primaryKeys, type Reading, rowsOf } from './rows.ts';

/** What a run has done. */
export interface ParquetReport {
  /** Or the folder in a bucket. */
  folder: string;
  /** Files written, and files of tables that had not changed. */
  written: string[];
  unchanged: number;
  /** Rows in the written files. */
  rows: number;
}

interface Wish {
  persons: boolean;
  clock: Clock;
}

/** Tables that only grow, each with the column that counts their rows within a connection. */
const HISTORIES: Readonly<Record<string, string>> = { changes: 'seq', versions: 'change_seq' };
const ROWS_IN_STRETCH = 100_000;

/**
 * Writes the tables of the mirror and its history as Parquet files, as of one moment. A file of a table is written again
 * only if the table has changed; of a history only what came since the last run.
 * @param to a folder, or `s3://bucket/folder` in the storage of the backups
 * @throws UsageError if the folder holds something else
 */
export async function writeParquet(config: Config, to: string, wish: Wish): Promise<ParquetReport> {
  const place = await parquetPlace(to, config);
  try {
    return await writeTo(place, config, wish);
  } finally {
    place.close();
  }
}

async function writeTo(place: ParquetPlace, config: Config, wish: Wish): Promise<ParquetReport> {
  const erasures = sha256Hex(erasuresText(readErasures(config.data_dir) ?? { key: undefined, erasures: [] }));
  const found = await readManifest(place);
  // With other columns, or after an erasure, what was written before must not stay.
  const before = found && found.persons === wish.persons && found.erasures === erasures ? found : undefined;
  await removeUnnamed(place, before);
  return await readSnapshot<Mirror, ParquetReport>(locationOf(config, 'mirror'), async (db) => {
    const run = new Run(db, place, wish.persons, before);
    await run.write();
    const made_at = instantOf(wish.clock.now());
    const { tables, stretches } = run;
    await writeManifest(place, { stayd: version(), made_at, persons: wish.persons, erasures, tables, stretches });
    return { folder: place.name, ...run.report };
  });
}

class Run {
  readonly #db: Kysely<Mirror>;
  readonly #place: ParquetPlace;
  readonly #persons: boolean;
  readonly #before: ParquetManifest | undefined;
  readonly tables: ParquetManifest['tables'] = {};
  readonly stretches: ParquetManifest['stretches'];
  readonly report = { written: [] as string[], unchanged: 0, rows: 0 };

  constructor(db: Kysely<Mirror>, place: ParquetPlace, persons: boolean, before: ParquetManifest | undefined) {
    this.#db = db;
    this.#place = place;
    this.#persons = persons;
    this.#before = before;
    this.stretches = structuredClone(before?.stretches ?? {});
  }

  async write(): Promise<void> {
    const keys = await primaryKeys(this.#db);
    const views = analystViews(await readRelations(this.#db, tablesForAnalysts));
    for (const view of views) {
      const key = keys.get(view.relation);
      const columns = view.columns.filter(({ personal }) => this.#persons || !personal);
      // A report has no key; whoever wants it asks its view. An account alone says nothing.
      if (!key || columns.every(({ name }) => name === 'connection')) continue;
      const counted = HISTORIES[view.name];
      if (counted === undefined) await this.#table({ view, columns, key });
      else await this.#history({ view, columns, key }, counted);
    }
  }

  async #table(reading: Reading): Promise<void> {
    const { name } = reading.view;
    const file = `tables/${name}.parquet`;
    const { draft, rows } = await this.#draft(file, reading);
    this.tables[name] = { file, sha256: draft.sha256, rows };
    if (this.#before?.tables[name]?.sha256 === draft.sha256) {
      draft.drop();
      this.report.unchanged += 1;
      return;
    }
    await draft.keep();
    this.#count(file, rows);
  }

  async #history(reading: Reading, counted: string): Promise<void> {
    const { view } = reading;
    const place = sql.ref(`${view.relation}.${counted}`);
    const { rows: lasts } = await sql<{ connection: string; last: number | string }>`
      select connection, max(${place}) as last from ${sql.table(view.relation)} group by connection`.execute(this.#db);
    const ofView = (this.stretches[view.name] ??= {});
    for (const { connection, last } of lasts) {
      const stretches = (ofView[connection] ??= []);
      for (let from = stretches.at(-1)?.to ?? 0; from < Number(last);) {
        const to = await this.#endOf(view, { counted, connection, from });
        const file = `history/${view.name}/${connection}/${padded(from + 1)}-${padded(to)}.parquet`;
        const where = sql<boolean>`${sql.ref(`${view.relation}.connection`)} = ${connection}
          and ${place} > ${from} and ${place} <= ${to}`;
        const { draft, rows } = await this.#draft(file, { ...reading, where });
        await draft.keep();
        stretches.push({ file, to, rows });
        this.#count(file, rows);
        from = to;
      }
    }
  }

  /** Returns the number that ends the stretch after another. */
  async #endOf(
    { relation }: AnalystView,
    { counted, connection, from }: { counted: string; connection: string; from: number },
  ): Promise<number> {
    const place = sql.ref(counted);
    const { rows } = await sql<{ last: number | string }>`
      select max(n) as last from (select ${place} as n from ${sql.table(relation)}
        where connection = ${connection} and ${place} > ${from} order by ${place} limit ${sql.lit(ROWS_IN_STRETCH)}) s`.execute(
      this.#db,
    );
    return Number(rows[0]?.last);
  }

  async #draft(file: string, reading: Reading) {
    let rows = 0;
    const { columns } = reading;
    const db = this.#db;
    const cells = async function* () {
      for await (const row of rowsOf(db, reading)) {
        rows += 1;
        yield parquetCells(columns, row);
      }
    };
    const chunks = parquetChunks(columns.map(parquetColumn), cells());
    const draft = await this.#place.draft(file, chunks);
    return { draft, rows };
  }

  #count(file: string, rows: number): void {
    this.report.written.push(file);
    this.report.rows += rows;
  }
}

/** So that names sort as their numbers do. */
function padded(seq: number): string {
  return String(seq).padStart(12, '0');
}
