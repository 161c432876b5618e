import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { newToken, settled, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { beginBuilt, runBuilt, startBuilt } from '../built.ts';
import { goal, promise, type Scenario } from '../scenario.ts';
import { soundness } from './serviceKills.ts';

const KILLS = 8;
const LONGEST_MS = 1_500;

/** The command that makes a backup is killed, and so is the service under it, while bookings are made. */
export const backupKills: Scenario = {
  name: 'backup-kills',
  rows: ['R36'],
  what: 'kill -9 of the backup, and of the service under it, while bookings are made',
  async run(course) {
    const dataDir = course.folder();
    const elsewhere = course.folder();
    const environment = { STAYD_DATA_DIR: dataDir };
    let service = await startBuilt(dataDir);
    course.atEnd(() => service.kill('SIGKILL'));
    await settled(service);
    const token = await newToken(service);
    const property = (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
    const answered = new Set<string>();
    const nights = bookNights({ property, answered });
    let booking = nights.begin(service, token);
    const sum = { whole: 0, half: 0, unsound: 0, missing: 0 };
    const kills = course.count ?? KILLS;
    for (let n = 0; n < kills; n += 1) {
      const file = join(elsewhere, `backup-${n}.tar.gz`);
      const known = [...answered];
      const backup = beginBuilt(['backup', file], environment);
      await wait(course.dice.fraction() * LONGEST_MS);
      const victim = n % 2 === 0 ? backup : service;
      await victim.kill('SIGKILL');
      const code = await backup.ended;
      if (victim === service) {
        await booking.stop();
        service = await startBuilt(dataDir);
        booking = nights.begin(service, token);
      }
      if (!existsSync(file)) continue;
      // A file of that name is a whole backup, whatever became of the command.
      const fresh = join(elsewhere, `restored-${n}`);
      const restored = await runBuilt(['restore', file], { STAYD_DATA_DIR: fresh });
      sum.whole += 1;
      if (restored.code !== 0) sum.half += 1;
      else if (!soundness(fresh).met) sum.unsound += 1;
      else sum.missing += missingIn(fresh, code === 0 ? known : []);
      rmSync(fresh, { recursive: true, force: true });
    }
    const known = [...answered];
    const last = join(elsewhere, 'last.tar.gz');
    const made = await runBuilt(['backup', last], environment);
    await booking.stop();
    const fresh = join(elsewhere, 'last');
    const restored = await runBuilt(['restore', last], { STAYD_DATA_DIR: fresh });
    if (made.code !== 0 || restored.code !== 0) throw new Error(`${made.stderr}${restored.stderr}`);
    const lost = missingIn(fresh, known);
    return [
      promise(
        `${sum.half} half files under the name of a backup in ${kills} kills; ${sum.whole} whole`,
        '0',
        sum.half === 0,
      ),
      promise(`${sum.unsound} restored databases damaged`, '0', sum.unsound === 0),
      promise(
        `${sum.missing + lost} of ${known.length} bookings from before a backup not in it`,
        '0',
        sum.missing + lost === 0,
      ),
      goal('a backup after them was made and restored', 'ok', true),
      soundness(fresh),
    ];
  },
};

function missingIn(dataDir: string, codes: readonly string[]): number {
  const database = new Database(join(dataDir, 'core.db'), { readonly: true });
  try {
    const stored = new Set(database.prepare('select reservation_code from reservations').pluck().all());
    return codes.filter((code) => !stored.has(code)).length;
  } finally {
    database.close();
  }
}
