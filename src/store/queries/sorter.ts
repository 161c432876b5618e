import Database from 'better-sqlite3';

/** Holds texts beside memory and gives them back by their keys. */
export interface Sorter {
  /** Each key once. */
  add(key: string, text: string): void;
  /** From the smallest key on, as bytes; any number of times. Nothing can be added any more. */
  sorted(): AsyncIterable<string>;
  close(): void;
}

const PAGE = 500;
/** KiB of the cache: what is beyond lies in a file without a name, gone with the process. */
const CACHE_KIB = 4_096;

/** Sorts more than memory should hold. Blocks the thread while it writes and reads, so it belongs into one of its own. */
export function openSorter(): Sorter {
  // The empty name is a private file in the directory for temporary files.
  const database = new Database('');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  database.exec(
    'pragma journal_mode = off; pragma synchronous = off; create table heap (key text not null, text text not null); begin',
  );
  const insert = database.prepare('insert into heap (key, text) values (?, ?)');
  let page: Database.Statement | undefined;
  return {
    add: (key, text) => void insert.run(key, text),
    async *sorted() {
      page ??= sort(database);
      let last = '';
      for (;;) {
        const rows = page.all(last, PAGE) as { key: string; text: string }[];
        for (const row of rows) yield row.text;
        if (rows.length < PAGE) return;
        last = rows.at(-1)?.key ?? '';
      }
    },
    close: () => void database.close(),
  };
}

/** Merged from sorted runs: one by one into a tree larger than the cache, each row would be a page read and written. */
function sort(database: Database.Database): Database.Statement {
  database.exec(`
    create table texts (key text primary key, text text not null) without rowid;
    insert into texts select key, text from heap order by key;
    drop table heap`);
  return database.prepare('select key, text from texts where key > ? order by key limit ?');
}
