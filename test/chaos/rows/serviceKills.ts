import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { differingRows } from '../../service/support/sameRows.ts';
import { newToken, portal, type Reached, rowsOf, settled, v3 } from '../../support/service.ts';
import { bookNights } from '../reservation.ts';
import { startBuilt } from '../built.ts';
import { type Course, goal, promise, type Scenario, type Verdict } from '../scenario.ts';

const KILLS = 40;
const LONGEST_LIFE_MS = 900;
const SETTLE_MS = 120_000;
const READY_MS = 5_000;

/** Core and daemon in one process are killed at any moment while guests book. */
export const serviceKills: Scenario = {
  name: 'service-kills',
  rows: ['R1'],
  what: 'kill -9 of the whole service while bookings are made',
  async run(course) {
    const dataDir = course.folder();
    const environment = { STAYD_SECRET_KEY: '11'.repeat(32) };
    const kills = course.count ?? KILLS;
    const answered = new Set<string>();
    let slowestMs = 0;
    let service = await startBuilt(dataDir, environment);
    course.atEnd(() => service.kill('SIGKILL'));
    const token = await newToken(service);
    const property = (await v3(service, token, 'POST', '/properties', { name: 'House' })).property_id;
    const nights = bookNights({ property, answered });
    for (let n = 1; n <= kills; n += 1) {
      const booking = nights.begin(service, token);
      await wait(20 + course.dice.fraction() * LONGEST_LIFE_MS);
      await service.kill('SIGKILL');
      await booking.stop();
      const begun = performance.now();
      service = await startBuilt(dataDir, environment);
      slowestMs = Math.max(slowestMs, performance.now() - begun);
      course.say(`${n} kills, ${answered.size} bookings answered`);
    }
    await settled(service, SETTLE_MS);
    return [
      ...(await judgeHalves({ course, service, dataDir, answered, after: `${kills} kills` })),
      goal(`ready ${Math.round(slowestMs)} ms after a kill at the latest`, '5,000 ms', slowestMs < READY_MS),
    ];
  },
};

export interface Judged {
  course: Course;
  service: Reached;
  /** null: PostgreSQL looks after itself. */
  dataDir: string | null;
  /** Codes of bookings that were answered. */
  answered: ReadonlySet<string>;
  after: string;
}

/** Whether a core and its mirror hold all that was acknowledged, and the same. */
export async function judgeHalves({ service, dataDir, answered, after }: Judged): Promise<Verdict[]> {
  const codes = new Set(
    (await rowsOf(service, 'select reservation_code from core.reservations')).map((row) => row['reservation_code']),
  );
  const missing = [...answered].filter((code) => !codes.has(code));
  const lost = await rowsOf(
    service,
    `select event_id from core.deliveries where outcome = 'delivered'
       and event_id not in (select event_id from mirror.inbox)`,
  );
  const [events] = await rowsOf(service, "select count(*) as n from core.deliveries where outcome = 'delivered'");
  const twice = await rowsOf(
    service,
    `select key from mirror.changes where op = 'created' and resource = 'reservation'
     group by connection, resource, key having count(*) > 1`,
  );
  const differing = await differingRows((sql) => rowsOf(service, sql));
  const { clean } = await portal(service, 'POST', '/portal/verify', {});
  return [
    promise(`${missing.length} of ${answered.size} answered bookings lost in ${after}`, '0', missing.length === 0),
    promise(`${lost.length} of ${Number(events?.['n'])} acknowledged events lost`, '0', lost.length === 0),
    promise(`${twice.length} bookings told of twice in the feed`, '0', twice.length === 0),
    promise(`rows that differ: ${differing.join('; ') || 'none'}`, 'none', differing.length === 0),
    promise(`verify ${clean ? 'clean' : 'found differences'}`, 'clean', clean),
    ...(dataDir === null ? [] : [soundness(dataDir)]),
  ];
}

export function soundness(dataDir: string): Verdict {
  const unsound = ['core', 'mirror'].filter((half) => {
    const database = new Database(join(dataDir, `${half}.db`), { readonly: true });
    try {
      return database.pragma('integrity_check', { simple: true }) !== 'ok';
    } finally {
      database.close();
    }
  });
  return promise(`integrity_check ${unsound.join(', ') || 'ok on both databases'}`, 'ok', unsound.length === 0);
}
