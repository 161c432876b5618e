import Database from 'better-sqlite3';

/** Stores texts outside memory and returns them in the order of their keys. */
export interface Sorter {
  /** Adds a text; each key once. */
  add(key: string, text: string): void;
  /** Yields the texts in the byte order of their keys, any number of times. No text can be added afterwards. */
  sorted(): AsyncIterable<string>;
  close(): void;
}

const PAGE = 500;
/** KiB of the cache; the rest is in a file without a name, gone with the process. */
const CACHE_KIB = 4_096;

/** Opens a sorter for more than memory should hold. It blocks its thread, so use a worker thread. */
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

/** Merges sorted runs: single inserts into a tree larger than the cache would read and write a page for each row. */
function sort(database: Database.Database): Database.Statement {
  database.exec(`
    create table texts (key text primary key, text text not null) without rowid;
    insert into texts select key, text from heap order by key;
    drop table heap`);
  return database.prepare('select key, text from texts where key > ? order by key limit ?');
}
