import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder that is gone when the tests of the file are over. */
const folder = mkdtempSync(join(tmpdir(), 'stayd-imports-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** Writes a file of its own for one test. @returns its path */
export function fileOf(content: string | Buffer, name = 'bookings.csv'): string {
  count += 1;
  const path = join(folder, `${count}-${name}`);
  writeFileSync(path, content);
  return path;
}

/** A path in the folder where nothing is yet. */
export function freePath(name: string): string {
  count += 1;
  return join(folder, `${count}-${name}`);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
