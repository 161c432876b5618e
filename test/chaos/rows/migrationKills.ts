import { readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { coreBridge } from '../../../migrations/bridge/core/index.ts';
import { mirrorBridge } from '../../../migrations/bridge/mirror/index.ts';
import { coreMigrations } from '../../../migrations/core/index.ts';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { migrate, type Steps } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { runBuilt } from '../built.ts';
import { goal, promise, type Scenario } from '../scenario.ts';

/** So many of the newest migrations of the bridge are the upgrade, and all steps. */
const NEWEST = 6;
const TRIED = 25;
const DRIVER = createRequire(import.meta.url).resolve('better-sqlite3');

/** Loaded before the program: counts the statements it runs, and ends it by SIGKILL before the Nth. */
const killAt = (n: number) => `
  import { createRequire } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  const Database = createRequire(${JSON.stringify(DRIVER)})(${JSON.stringify(DRIVER)});
  const statement = Object.getPrototypeOf(new Database(':memory:').prepare('select 1'));
  let left = ${n};
  // The conversations of the program load this, too.
  if (isMainThread) for (const name of ['run', 'all', 'get']) {
    const own = statement[name];
    statement[name] = function (...args) {
      if ((left -= 1) === 0) process.kill(process.pid, 'SIGKILL');
      return own.apply(this, args);
    };
  }
  if (isMainThread) process.on('exit', () => process.stderr.write('statements ' + String(${n} - left) + '\\n'));`;

/** An upgrade of both databases is killed before each of its statements. */
export const migrationKills: Scenario = {
  name: 'migration-kills',
  rows: ['R32'],
  what: 'kill -9 of stayd migrate before its Nth statement, and the same upgrade again',
  async run(course) {
    const dataDir = course.folder();
    await makeOld(dataDir);
    const counted = await runBuilt(['migrate'], { STAYD_DATA_DIR: dataDir }, preloaded(1_000_000));
    const statements = Number(/statements (\d+)/.exec(counted.stderr)?.[1] ?? 0);
    if (counted.code !== 0 || statements === 0) throw new Error(`the upgrade itself failed: ${counted.stderr}`);
    const tried = Math.min(course.count ?? TRIED, statements);
    const sum = { killed: 0, old: 0, new: 0, between: 0, unsound: 0, stuck: 0 };
    for (let n = 0; n < tried; n += 1) {
      await makeOld(dataDir);
      const at = 1 + Math.floor((n * statements) / tried);
      const { code } = await runBuilt(['migrate'], { STAYD_DATA_DIR: dataDir }, preloaded(at));
      if (code === null) sum.killed += 1;
      for (const [half, migrations] of halves) {
        const state = stateOf(join(dataDir, `${half}.db`), migrations);
        sum[state] += 1;
      }
      const again = await runBuilt(['migrate'], { STAYD_DATA_DIR: dataDir });
      const isNew = halves.every(([half, migrations]) => stateOf(join(dataDir, `${half}.db`), migrations) === 'new');
      if (again.code !== 0 || !isNew) sum.stuck += 1;
      course.say(`statement ${at} of ${statements}`);
    }
    return [
      promise(
        `${sum.between} databases between two versions in ${sum.killed} kills; ${sum.old} old, ${sum.new} new`,
        '0',
        sum.between === 0,
      ),
      promise(`${sum.unsound} damaged`, '0', sum.unsound === 0),
      promise(`${sum.stuck} that the same upgrade did not bring to the new version`, '0', sum.stuck === 0),
      goal(
        `${sum.killed} of ${tried} runs killed at ${tried} of ${statements} statements`,
        'all',
        sum.killed === tried,
      ),
    ];
  },
};

const halves: readonly (readonly [half: 'core' | 'mirror', migrations: { bridge: Steps; steps: Steps }])[] = [
  ['core', { bridge: coreBridge, steps: coreMigrations.steps }],
  ['mirror', { bridge: mirrorBridge, steps: mirrorMigrations.steps }],
];

function preloaded(n: number) {
  return { node: ['--import', `data:text/javascript,${encodeURIComponent(killAt(n))}`] };
}

/** Databases as an earlier version has left them. */
async function makeOld(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name));
  for (const [half, migrations] of halves) {
    const store = await openStore<unknown>({ kind: 'sqlite', file: join(dataDir, `${half}.db`) });
    const old = oldOf(migrations);
    const steps = Object.fromEntries(Object.entries(migrations.bridge).filter(([name]) => old.includes(name)));
    await migrate(store, { steps });
    await store.close();
  }
}

function oldOf({ bridge }: { bridge: Steps }): string[] {
  return Object.keys(bridge).toSorted().slice(0, -NEWEST);
}

function stateOf(file: string, migrations: { bridge: Steps; steps: Steps }): 'old' | 'new' | 'between' | 'unsound' {
  const database = new Database(file);
  try {
    if (database.pragma('integrity_check', { simple: true }) !== 'ok') return 'unsound';
    const applied = database.prepare('select name from kysely_migration order by name').pluck().all();
    if (String(applied) === String(oldOf(migrations))) return 'old';
    return String(applied) === String(Object.keys(migrations.steps).toSorted()) ? 'new' : 'between';
  } finally {
    database.close();
  }
}
