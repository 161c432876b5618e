import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { seededDice } from '../../src/kernel/seeded.ts';
import { openSqliteFile } from '../../src/store/sqlite/sqliteFile.ts';

const COMMITS = 16;
const SECTOR = 512;
const FLIPS = 100;

describe('a loss of power', () => {
  let folder: string;
  let wal: Buffer;
  /** The length of the -wal file behind each commit. */
  const lengths: number[] = [0];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-power-'));
    const file = join(folder, 'whole.db');
    const database = openSqliteFile(file);
    database.exec('create table rows (n integer primary key, text text); create table sums (id integer, n integer)');
    database.exec('insert into sums values (1, 0)');
    database.pragma('wal_checkpoint(truncate)');
    for (let n = 1; n <= COMMITS; n += 1) {
      database.exec('begin immediate');
      database.prepare('insert into rows values (?, ?)').run(n, 'x'.repeat(200 * n));
      database.prepare('update sums set n = ? where id = 1').run(n);
      database.exec('commit');
      lengths.push(readFileSync(`${file}-wal`).length);
    }
    wal = readFileSync(`${file}-wal`);
    copyFileSync(file, join(folder, 'base.db'));
    database.close();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What stands in the database when its -wal file is this one: how many commits, all of each. */
  function commitsLeft(bytes: Buffer): number {
    const file = join(folder, 'cut.db');
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    copyFileSync(join(folder, 'base.db'), file);
    writeFileSync(`${file}-wal`, bytes);
    const database = new Database(file);
    // Only what is read matters here.
    database.pragma('synchronous = off');
    try {
      assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
      const rows = database.prepare<[], number>('select n from rows order by n').pluck().all();
      assert.deepEqual(
        rows,
        rows.map((_, index) => index + 1),
        'a prefix',
      );
      assert.equal(database.prepare('select n from sums').pluck().get(), rows.length, 'of whole transactions');
      return rows.length;
    } finally {
      database.close();
    }
  }

  it('leaves the commits that were on the disk, wherever the log is cut', () => {
    for (let length = 0; length <= wal.length; length += SECTOR) {
      const expected = lengths.filter((one) => one > 0 && one <= length).length;
      assert.equal(commitsLeft(wal.subarray(0, length)), expected, `cut at ${length}`);
    }
  });

  it('leaves the commits before a flipped bit, wherever it is', () => {
    const { fraction } = seededDice(2);
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const at = Math.floor(fraction() * wal.length);
      const bent = Buffer.from(wal);
      bent[at] = (bent[at] ?? 0) ^ (1 << Math.floor(fraction() * 8));
      const before = lengths.filter((one) => one > 0 && one <= at).length;
      const left = commitsLeft(bent);
      assert.ok(left === before || (at < 32 && left <= COMMITS), `bit at ${at}: ${left} in place of ${before}`);
    }
  });
});
