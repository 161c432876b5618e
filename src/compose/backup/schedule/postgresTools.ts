import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, OperatorError } from '../../../kernel/errors.ts';
import { makePrivateFile } from '../../../store/sealing/privateFile.ts';

const run = promisify(execFile);

/** Writes both schemas of a database into a file, as of one moment. */
export async function dumpTo(file: string, databaseUrl: string): Promise<void> {
  makePrivateFile(file);
  await withTool(dirname(file), databaseUrl, (tool) =>
    tool('pg_dump', ['--format=custom', '--schema=core', '--schema=mirror', `--file=${file}`]),
  );
}

/**
 * Loads a dump into a database that was made for it, and removes that database afterwards.
 * @param look gets the address of the database
 */
export async function loadedFrom<T>(
  file: string,
  databaseUrl: string,
  { database, look }: { database: string; look(url: string): Promise<T> },
): Promise<T> {
  return await withTool(dirname(file), databaseUrl, async (tool) => {
    await tool('psql', ['--quiet', '--no-psqlrc', `--command=create database ${database}`]);
    try {
      const loaded = new URL(databaseUrl);
      loaded.pathname = `/${database}`;
      await withTool(dirname(file), loaded.href, (into) =>
        into('pg_restore', ['--exit-on-error', '--no-owner', '--no-privileges', file]),
      );
      return await look(loaded.href);
    } finally {
      await tool('psql', ['--quiet', '--no-psqlrc', `--command=drop database if exists ${database} with (force)`]);
    }
  });
}

type Tool = (program: string, args: readonly string[]) => Promise<void>;

/**
 * Runs programs of PostgreSQL on a database. They find the password in a file that is theirs alone, since everybody sees
 * their arguments.
 * @throws OperatorError with what they said
 */
async function withTool<T>(folder: string, databaseUrl: string, work: (tool: Tool) => Promise<T>): Promise<T> {
  const url = new URL(databaseUrl);
  const passwords = join(folder, `password-of-${url.pathname.slice(1)}`);
  makePrivateFile(passwords);
  writeFileSync(passwords, `*:*:*:*:${decodeURIComponent(url.password).replaceAll(/[\\:]/g, String.raw`\$&`)}\n`);
  url.password = '';
  url.searchParams.set('passfile', passwords);
  try {
    return await work(async (program, args) => {
      try {
        await run(program, [`--dbname=${url.href}`, ...args]);
      } catch (error) {
        const { stderr } = Object(error) as { stderr?: string };
        throw new OperatorError(
          `${program}: ${stderr?.trim().split('\n')[0] || messageOf(error)}`,
          `${program} of the version of the server, or a later one, has to be on the PATH`,
          error,
        );
      }
    });
  } finally {
    rmSync(passwords, { force: true });
  }
}
