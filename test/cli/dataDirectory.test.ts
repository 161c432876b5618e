import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { dataDirectory } from '../support/service.ts';
import { runMany } from './support/runMany.ts';

/** Every command that wants a service, or its databases, as it is called with the least. */
const CLIENTS = [
  'status',
  'account list',
  'account create --name x --time-zone Europe/Oslo --currency NOK',
  'sub-account list',
  'token create --name x --scope read',
  'token list',
  'login invite',
  'oauth client list',
  'oauth connected',
  'verify',
  'reconcile',
  'reconcile --plan',
  'backfill --plan',
  'rebuild-mirror',
  'events list',
  'endpoints list',
  'automations list',
  'export list',
  'export map',
  'report occupancy',
  'simulate --days 2 --properties 1',
  'erase-guest --email a@example.com --yes',
  'secrets rotate',
  'backup FILE',
];

describe('commands where no stayd ever was', () => {
  const folder = dataDirectory();
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [what, dir] of [
    ['missing', join(folder, 'not-there')],
    ['empty', join(folder, 'empty')],
  ] as const) {
    it(`name the directory that they looked into, and make nothing, when it is ${what}`, async () => {
      if (what === 'empty') mkdirSync(dir);
      const outcomes = await runMany(
        CLIENTS.map((line) => line.replace('FILE', join(folder, 'a.tar')).split(' ')),
        { STAYD_PORT: '0', STAYD_DATA_DIR: dir },
      );
      for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
        const line = CLIENTS[index] ?? '';
        assert.equal(code, 2, `${line}: ${stdout} ${stderr}`);
        assert.equal(stdout, '', line);
        assert.match(stderr, new RegExp(`there is no stayd in ${dir}`), line);
        assert.match(stderr, /STAYD_DATA_DIR/, line);
      }
      assert.deepEqual(existsSync(dir) ? readdirSync(dir) : [], []);
      assert.equal(existsSync(dir), what === 'empty');
    });
  }
});
