import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { AtMoment } from '../../../src/exports/run/work.ts';
import type { RowReader } from '../../../src/store/sqlite/reading.ts';
import { atMoment } from '../../../src/store/queries/moment.ts';
import type { Moment } from '../../../src/store/queries/momentReader.ts';
import type { MirrorStore } from '../../../src/sync/tables/database.ts';

/** SQL with its values: `$1` … in what is written by hand, else as kysely writes it. */
export type OnQuery = (text: string, values: readonly unknown[]) => void;

/** A store that tells what it is asked. */
export function watchedStore(store: MirrorStore, onQuery: OnQuery): MirrorStore {
  const watch: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql, parameters }: CompiledQuery = store.db.getExecutor().compileQuery(node, queryId);
      onQuery(sql, parameters);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    ...store,
    db: store.db.withPlugin(watch),
    transaction: (work) => store.transaction((trx) => work(trx.withPlugin(watch))),
  };
}

export function watchedReader<Reader extends RowReader | Moment>(reader: Reader, onQuery: OnQuery): Reader {
  return {
    ...reader,
    rows<Row>(text: string, values: readonly string[]) {
      onQuery(text, values);
      return reader.rows<Row>(text, values);
    },
  };
}

export function watchedMoment(onQuery: OnQuery): AtMoment {
  return (location, work) => atMoment(location, (moment) => work(watchedReader(moment, onQuery)));
}
