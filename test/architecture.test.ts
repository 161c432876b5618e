import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { foreignNames } from './scripts/architecture/channels.ts';
import { furtherDoors } from './scripts/architecture/doors.ts';
import { comparedSecrets, defaultExports, leftOutTests, tooLong } from './scripts/architecture/habits.ts';
import { profileFiles, readProfile } from '../src/compose/profiles/profiles.ts';
import { landed } from './migrations/landed.ts';
import { forbiddenNames } from './scripts/architecture/names.ts';
import { crowdedFolders, forbiddenFolders, forbiddenImports, importCycles } from './scripts/architecture/rooms.ts';
import { madeStatements } from './scripts/architecture/statements.ts';
import { retiredIn, retiredWords } from './scripts/architecture/words.ts';
import { parseSource, type Source, type Violation } from './scripts/architecture/source.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

function sourcesIn(...folders: string[]): Source[] {
  return folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => parseSource(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** What channels are called elsewhere, and not here. */
function namesInProfiles(): ReadonlySet<string> {
  const profiles = profileFiles({ profiles: join(ROOT, 'profiles') }).map(({ file }) => readProfile(file));
  const channels = profiles.flatMap(({ words }) => Object.entries(words.channel ?? {}));
  const ours = new Set(channels.map(([name]) => name));
  return new Set(channels.flatMap(([, theirs]) => theirs).filter((name) => !ours.has(name) && name !== 'booking'));
}

function assertNone(violations: Violation[]): void {
  if (violations.length === 0) return;
  const error = new Error(violations.map(({ file, line, problem }) => `${file}:${line}  ${problem}`).join('\n'));
  // The places that matter stand in the message; where this check stands does not help.
  error.stack = error.message;
  throw error;
}

describe('the tree', () => {
  const program = sourcesIn('src', 'migrations');
  const tests = sourcesIn('test', 'bench');

  it('is not empty', () => assert.ok(program.length > 0 && tests.length > 0));
  it('imports along the table of rooms', () => assertNone(program.flatMap(forbiddenImports)));
  it('has no cycle of imports', () => assertNone(importCycles(program)));
  it('names its folders after the trade', () => assertNone(program.flatMap(({ file }) => forbiddenFolders(file))));
  it('takes time, randomness, network and environment as arguments', () => assertNone(program.flatMap(forbiddenNames)));
  it('S6: opens connections at known doors, one of them for what users name', () =>
    assertNone(program.flatMap(furtherDoors)));
  it('S15: makes no SQL of texts', () => assertNone(program.flatMap(madeStatements)));
  it('compares secrets in constant time', () => assertNone(program.flatMap(comparedSecrets)));
  it('exports by name', () => assertNone(program.flatMap(defaultExports)));
  it('knows channels by our names alone: those of others stand in config/profiles', () => {
    const foreign = namesInProfiles();
    assert.ok(foreign.size > 5);
    assertNone(program.flatMap((source) => foreignNames(source, foreign)));
  });
  it('uses no word that gave way to one of the field', () => {
    assertNone(program.filter(({ file }) => file.startsWith('src/')).flatMap(retiredWords));
    const settings = readFileSync(join(ROOT, 'config/default.yaml'), 'utf8').matchAll(/^\s*(?:- )?([a-z_]+):/gm);
    for (const [, name = ''] of settings) assert.equal(retiredIn(name), undefined);
  });
  it('keeps its folders small enough to be read at a glance', () => assertNone(crowdedFolders(program)));
  it('keeps its files short', () => assertNone(program.flatMap(tooLong)));
  it('leaves no test out', () => assertNone(tests.flatMap(leftOutTests)));
  it('tries each migration on the databases of before: it has its line in test/migrations/landed.ts', () => {
    for (const half of ['core', 'mirror'] as const) {
      // A migration is a file, or a folder, or a file beside a folder of its name.
      const inFolder = (folder: string): string[] =>
        readdirSync(join(ROOT, folder)).flatMap((name) =>
          name.startsWith('until_') ? inFolder(`${folder}/${name}`) : [name],
        );
      const files = ['migrations', 'migrations/bridge'].flatMap((folder) => inFolder(`${folder}/${half}`));
      const names = files.map((name) => name.replace(/\.ts$/, '')).filter((name) => /^\d{4}_/.test(name));
      const lines = landed.flatMap((landing) => landing[half]?.adds ?? []);
      assert.deepEqual([...new Set(names)].toSorted(), lines.toSorted());
    }
  });
});

/** `file` with this text breaks a rule (`found` is in what is said), or breaks none (null). */
type Row = [file: string, text: string, found: string | null];

function rows(check: (source: Source) => Violation[], cases: Row[]): void {
  for (const [file, text, found] of cases) {
    it(`${found === null ? 'accepts' : 'finds'} ${text.split('\n', 1)[0]?.slice(0, 70)} in ${file}`, () => {
      const problems = check(parseSource(file, text)).map(({ problem }) => problem);
      if (found === null) assert.deepEqual(problems, []);
      else assert.ok(problems.length === 1 && problems[0]?.includes(found), `said: ${problems.join(' | ')}`);
    });
  }
}

describe('names of channels', () => {
  const foreign = new Set(['ctrip', 'booking.com']);
  rows(
    (source) => foreignNames(source, foreign),
    [
      ['src/automations/x.ts', `const own = channel === 'regional_marketplace';`, null],
      ['src/automations/x.ts', `const floor = channel === 'ctrip';`, 'ctrip is a name of another deployment'],
      ['src/exports/x.ts', `const policy = { ctrip: 'netted' };`, 'ctrip is a name'],
      ['src/sync/x.ts', 'const begins = `booking.com/${id}`;', 'booking.com is a name'],
    ],
  );
});

describe('who may import whom', () => {
  rows(forbiddenImports, [
    ['src/main.ts', `import { compose } from './compose.ts';`, null],
    ['src/main.ts', `import { open } from './store/open.ts';`, 'main may not import store/open.ts'],
    ['src/compose.ts', `import { build } from './core/build.ts';`, null],
    ['src/compose.ts', `import { run } from './cli/run.ts';`, 'compose may not import cli/run.ts'],
    ['src/compose.ts', `import { main } from './main.ts';`, 'compose may not import main.ts'],
    ['src/cli/token.ts', `import { config } from '../config.ts';`, null],
    ['src/cli/token.ts', `import { open } from '../store/open.ts';`, 'cli may not import store/open.ts'],
    ['src/api/mcp.ts', `import { grant } from '../oauth/grants.ts';`, null],
    ['src/api/mcp.ts', `import { open } from '../store/open.ts';`, 'api may not import store/open.ts'],
    ['src/oauth/token.ts', `import { find } from '../core/accounts/table.ts';`, null],
    [
      'src/oauth/token.ts',
      `import { find } from '../core/accountsBook/x.ts';`,
      'oauth may not import core/accountsBook/x.ts',
    ],
    [
      'src/oauth/token.ts',
      `import { find } from '../core/stays/rules.ts';`,
      'oauth may not import core/stays/rules.ts',
    ],
    ['src/core/stays/rules.ts', `import type { Stay } from '../../contract/stays.ts';`, null],
    [
      'src/core/stays/rules.ts',
      `import type { Grant } from '../../oauth/grants.ts';`,
      'core may not import oauth/grants.ts',
    ],
    ['src/core/stays/rules.ts', `type A = import('../../api/app.ts').App;`, 'core may not import api/app.ts'],
    ['src/sync/scan.ts', `import { client } from '../client/call.ts';`, null],
    ['src/sync/scan.ts', `export { find } from '../core/stays/rules.ts';`, 'sync may not import core/stays/rules.ts'],
    ['src/automations/guard.ts', `import { feed } from '../sync/feed.ts';`, null],
    [
      'src/automations/guard.ts',
      `const { x } = await import('../api/app.ts');`,
      'automations may not import api/app.ts',
    ],
    ['src/exports/journal.ts', `export * from '../oauth/grants.ts';`, 'exports may not import oauth/grants.ts'],
    ['src/exports/journal.ts', `import '../automations/rules.ts';`, 'exports may not import automations/rules.ts'],
    ['src/console/page.ts', `import { staysOf } from '../sync/mirror/read.ts';`, null],
    ['src/console/page.ts', `import { apply } from '../sync/apply.ts';`, 'console may not import sync/apply.ts'],
    ['src/sync/apply/x.ts', `import { markKeys } from '../queue/markKeys.ts';`, null],
    ['src/sync/feed/x.ts', `import type { Scan } from '../scans/scan.ts';`, 'feed may not import sync/scans/scan.ts'],
    ['src/sync/ingest/x.ts', `import { find } from '../refetch/x.ts';`, 'ingest may not import sync/refetch/x.ts'],
    ['src/sync/odd/x.ts', `import { find } from '../feed/x.ts';`, 'odd has no place among the rooms of sync'],
    ['src/sandbox/x.ts', `import { find } from '../core/stays/table.ts';`, 'the table of stays is its own'],
    ['src/client/call.ts', `import { operations } from '../contract/operations.ts';`, null],
    ['src/client/call.ts', `import { guard } from '../outbound/guard.ts';`, 'client may not import outbound/guard.ts'],
    ['src/outbound/send.ts', `import { sign } from '../kernel/signature.ts';`, null],
    [
      'src/outbound/send.ts',
      `import { Stay } from '../contract/stays.ts';`,
      'outbound may not import contract/stays.ts',
    ],
    ['src/contract/stays.ts', `import { open } from '../store/open.ts';`, 'contract may not import store/open.ts'],
    ['src/store/open.ts', `import { config } from '../config.ts';`, 'store may not import config.ts'],
    ['src/config.ts', `import { open } from './store/open.ts';`, 'config may not import store/open.ts'],
    ['src/kernel/ids.ts', `import { x } from '../contract/stays.ts';`, 'kernel may not import contract/stays.ts'],
    ['migrations/core/0001.ts', `import { sql } from '../../src/store/sql.ts';`, null],
    [
      'migrations/core/0001.ts',
      `import { x } from '../../src/core/stays/rules.ts';`,
      'migrations may not import core/stays/rules.ts',
    ],
    ['src/attic/old.ts', `import { now } from '../kernel/clock.ts';`, 'attic has no row'],
    ['src/core/stays/rules.ts', `import { x } from '../../../scripts/prepare.mjs';`, 'lies outside of src'],
    ['src/compose.ts', `const part = await import(name);`, '(computed) lies outside of src'],
    ['src/store/open.ts', `const native = require('../api/native.ts');`, 'store may not import api/native.ts'],
    ['src/core/stays/rules.ts', `import { find } from './table.ts';`, null],
    ['src/core/stays/rules.ts', `import { find } from '../guests/rules.ts';`, null],
    ['src/core/stays/rules.ts', `import { find } from '../guests/table.ts';`, 'the table of guests is its own'],
    [
      'src/core/stays/rules.ts',
      `import type { Row } from '../guests/table/rows.ts';`,
      'the table of guests is its own',
    ],
  ]);
});

describe('packages with a home', () => {
  rows(forbiddenImports, [
    ['src/client/call.ts', `import { Agent } from 'undici';`, null],
    ['src/outbound/guard.ts', `import type { Dispatcher } from 'undici';`, null],
    ['src/sync/scan.ts', `import type { Agent } from 'undici';`, 'only src/outbound and src/client may import undici'],
    ['src/store/sqlite/sqlite.ts', `import Database from 'better-sqlite3';`, null],
    ['src/core/stays/table.ts', `import Database from 'better-sqlite3';`, 'only src/store may import better-sqlite3'],
    ['src/core/stays/table.ts', `import Pool from 'pg/lib/pool.js';`, 'only src/store may import pg'],
    ['src/core/stays/table.ts', `import { parse } from 'pg-connection-string';`, null],
  ]);
});

describe('cycles of imports', () => {
  const cycles = (files: Record<string, string>) =>
    importCycles(Object.entries(files).map(([file, text]) => parseSource(file, text))).map(({ problem }) => problem);

  it('finds one between files, through types too', () => {
    assert.deepEqual(
      cycles({
        'src/core/a.ts': `import './b.ts';`,
        'src/core/b.ts': `import type { C } from './c.ts';`,
        'src/core/c.ts': `export * from './b.ts';`,
      }),
      ['imports go round: src/core/b.ts → src/core/c.ts → src/core/b.ts'],
    );
  });

  it('finds one between rooms whose files form none', () => {
    assert.deepEqual(
      cycles({
        'src/core/a.ts': `import '../store/b.ts';`,
        'src/store/c.ts': `import '../core/d.ts';`,
      }),
      ['imports go round: core → store → core'],
    );
  });

  it('accepts two ways to one file', () => {
    assert.deepEqual(
      cycles({
        'src/core/a.ts': `import './b.ts'; import './c.ts';`,
        'src/core/b.ts': `import './c.ts';`,
      }),
      [],
    );
  });
});

describe('folders', () => {
  rows(
    ({ file }) => forbiddenFolders(file),
    [
      ['src/core/utils/dates.ts', '', 'a folder called utils'],
      ['src/core/types/stay.ts', '', 'a folder called types'],
      ['src/core/limits/helpers.ts', '', null],
    ],
  );
});

describe('retired words', () => {
  rows(retiredWords, [
    ['src/sync/x.ts', `const scanDays = 'scan_days';`, null],
    ['src/sync/x.ts', `const walkDays = 1;`, 'the field says scan'],
    ['src/sync/x.ts', `db.selectFrom('slow_sweeps');`, 'the field says reconciliations'],
    ['src/sync/x.ts', `const SWEEP = 1;`, 'the field says reconciliation'],
    ['src/sync/x.ts', `const told = 'told_rows';`, 'announced_rows'],
    ['src/sync/x.ts', `// a walk in the park\nconst said = 'We walk to the sea.';`, null],
    ['src/sync/x.ts', `const desktop = 'desktop';`, null],
  ]);
});

describe('crowded folders', () => {
  const sources = (folder: string, count: number): Source[] =>
    Array.from({ length: count }, (_, index) => parseSource(`${folder}/f${index}.ts`, ''));
  it('finds a folder with more than 22 files', () => {
    assert.deepEqual(crowdedFolders(sources('src/sync/x', 22)), []);
    const [found, ...more] = crowdedFolders(sources('src/sync/x', 23));
    assert.equal(found?.problem, 'src/sync/x holds 23 files: give some of them a folder of their own');
    assert.deepEqual(more, []);
  });
  it('lets a folder of things that are alike be long', () =>
    assert.deepEqual(crowdedFolders(sources('src/cli', 40)), []));
});

describe('forbidden names', () => {
  const file = 'src/sync/scan.ts';
  rows(forbiddenNames, [
    [file, `const now = Date.now();`, 'Date.now: time comes from a Clock'],
    [file, `const now = Date['now']();`, 'Date.now'],
    [file, `const { now } = Date;`, 'Date.now'],
    [file, `const now = new Date();`, 'Date()'],
    [file, `const now = Date();`, 'Date()'],
    [file, `const then = new Date(0); const same = Date.parse(text) + Date.UTC(2026, 1);`, null],
    [file, `const start = performance.now();`, 'performance.now'],
    [file, `const today = Temporal.Now.plainDateISO();`, 'Temporal.Now'],
    [file, `setTimeout(work, 5);`, 'setTimeout'],
    [file, `const timer = { set: setInterval };`, 'setInterval'],
    [file, `const ports = { setTimeout };`, 'setTimeout'],
    [file, `clock.setTimeout(work, 5); setImmediate(work);`, null],
    [file, `import { setTimeout as wait } from 'node:timers/promises';`, 'setTimeout of node:timers/promises'],
    [file, `const answer = await fetch(url);`, 'fetch: HTTP goes out'],
    [file, `const answer = await globalThis.fetch(url);`, 'globalThis'],
    [file, `type Fetch = typeof fetch; interface Port { fetch: Fetch; fetch(url: string): void }`, null],
    [file, `async function get(fetch: Fetch) { return () => fetch('/'); }`, null],
    [file, `const get = ({ fetch }: Port, url = '/') => fetch(url);`, null],
    [file, `function one() { const fetch = port; return fetch; } function other() { return fetch('/'); }`, 'fetch'],
    [file, `import { fetch } from './port.ts'; fetch('/'); port.fetch('/');`, null],
    [file, `const lucky = Math.random() < 0.5;`, 'Math.random'],
    [file, `import { randomUUID } from 'node:crypto';`, 'randomUUID of node:crypto'],
    [file, `import { randomBytes as bytes } from 'crypto';`, 'randomBytes of crypto'],
    [file, `import * as c from 'node:crypto'; c.randomBytes(8);`, 'c.randomBytes'],
    [file, `const id = crypto.randomUUID();`, 'crypto.randomUUID'],
    [file, `import { createHash, timingSafeEqual } from 'node:crypto';`, null],
    [file, `const home = process.env.HOME;`, 'process.env: only src/config.ts'],
    [file, `const { env } = process;`, 'process.env'],
    [file, `import { env } from 'node:process';`, 'env of node:process'],
    [file, `// Date.now() and fetch()\nconst text = 'process.env';`, null],
    ['src/kernel/clock.ts', `const now = () => Date.now(); setTimeout(now, 1);`, null],
    ['src/main.ts', `const port = process.env.PORT;`, 'process.env'],
    ['src/config.ts', `const port = process.env.PORT;`, null],
  ]);
});

describe('S6: doors', () => {
  const file = 'src/core/listings/cover.ts';
  rows(furtherDoors, [
    [file, `import { request } from 'node:http';`, 'request of node:http'],
    [file, `import https from 'https';`, 'default of https'],
    [file, `import * as net from 'node:net';`, '* of node:net'],
    [file, `const { connect } = await import('node:tls');`, '* of node:tls'],
    [file, `import { lookup } from 'node:dns/promises';`, 'lookup of node:dns/promises'],
    [file, `import { execFile } from 'node:child_process';`, 'execFile of node:child_process'],
    [file, `import got from 'got';`, 'got: HTTP goes out'],
    [file, `import { isIP } from 'node:net'; import { createServer } from 'node:http';`, null],
    [file, `import type { IncomingMessage } from 'node:http';`, null],
    ['src/outbound/dispatcher.ts', `import { connect, type Socket } from 'node:net';`, null],
    ['src/outbound/deliver.ts', `import { connect } from 'node:net';`, 'connect of node:net'],
    ['src/cli/portal.ts', `import { request } from 'node:http';`, null],
  ]);
});

describe('S15: SQL made of texts', () => {
  const file = 'src/core/stays/table.ts';
  rows(madeStatements, [
    [file, 'const all = await sql.raw(`select 1`).execute(db);', null],
    [file, 'const all = await sql.raw(text).execute(db);', 'raw of something that is no constant'],
    [file, 'const one = sql`where ${sql.lit(input.keyword)} = name`;', 'lit of something that is no constant'],
    [file, `where(sql.lit('waiting' as const)); where(sql.lit(MAX_HINT));`, null],
    [file, 'await db.executeQuery(CompiledQuery.raw(question));', 'raw of something'],
    [file, 'const text = `select * from stays where code = ${code}`;', 'SQL from a template'],
    [file, 'const text = `DELETE FROM ${table}`;', 'SQL from a template'],
    [file, `const text = 'select * from stays where code = ' + code;`, 'SQL from pieces'],
    [file, 'const rows = sql`select * from stays where code = ${code}`.execute(db);', null],
    [
      file,
      'const text = `update of ${name}: set for later`; const more = `select ${name} from all`;',
      'SQL from a template',
    ],
    ['src/store/queries/insertMany.ts', 'const text = `insert into ${table} (${names})`;', null],
  ]);
});

describe('secrets', () => {
  const file = 'src/api/authenticate.ts';
  rows(comparedSecrets, [
    [file, `if (given === expectedToken) pass();`, 'sameSecret'],
    [file, `if (request.headers.signature !== signature) fail();`, 'sameSecret'],
    [file, `const ok = row.token_hash == sha256Hex(token);`, 'sameSecret'],
    [file, `if (row['password'] === password) pass();`, 'sameSecret'],
    [file, `if (token === undefined || secret !== '' || typeof password === 'string') fail();`, null],
    [file, `if (token.kind === kind && tokenId === other.tokenId) pass();`, null],
  ]);
});

describe('default exports', () => {
  rows(defaultExports, [
    ['src/api/app.ts', `export default function app() {}`, 'no name'],
    ['src/api/app.ts', `const app = 1; export { app as default };`, 'no name'],
    ['src/api/app.ts', `export const app = 1; export { default as other } from './b.ts';`, null],
  ]);
});

describe('long files', () => {
  rows(tooLong, [
    ['src/api/app.ts', 'work();\n'.repeat(400), null],
    ['src/api/app.ts', 'work();\n'.repeat(401), '401 lines'],
  ]);
});

describe('tests left out', () => {
  const file = 'test/api/app.test.ts';
  rows(leftOutTests, [
    [file, `it.only('works', () => {});`, 'only'],
    [file, `describe.skip('app', () => {});`, 'skip'],
    [file, `test('works', { todo: 'later' }, () => {});`, 'todo'],
    [file, `await t.test('part', { skip: !server }, () => {});`, 'skip'],
    [file, `it('works', { timeout: 5 }, () => { cursor.skip(3); expect({ only: 1 }); });`, null],
  ]);
});
