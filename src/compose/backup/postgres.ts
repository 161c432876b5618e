import { UsageError } from '../../kernel/errors.ts';

/** Returns the refusal for PostgreSQL, which backs up both schemas at one moment by its own tool. */
export function pgDump(databaseUrl: string, file: string): UsageError {
  return new UsageError(
    'both databases are in PostgreSQL, which makes its own backups',
    `run: pg_dump --format=custom --schema=core --schema=mirror --file=${quoted(file)} ${quoted(withoutPassword(databaseUrl))}`,
  );
}

export function pgRestore(databaseUrl: string, file: string): UsageError {
  const command = `pg_restore --clean --if-exists --dbname=${quoted(withoutPassword(databaseUrl))} ${quoted(file)}`;
  return new UsageError(
    'both databases are in PostgreSQL, which restores its own backups',
    `stop stayd, see that erasures.log of before lies in the data directory, then run: ${command} && ./stayd restore --loaded ${quoted(file)}`,
  );
}

/** Removes the password, which would remain in the history of a shell. */
export function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return databaseUrl;
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
