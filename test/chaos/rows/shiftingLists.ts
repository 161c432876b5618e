import { makeStay } from '../../support/rows.ts';
import { portal } from '../../support/service.ts';
import { startMirrored } from '../mirrored.ts';
import { goal, promise, type Scenario } from '../scenario.ts';

const STAYS = 1_200;
const SCANS = 8;
const PAGE = 100;

/** Rows come and go at the boundaries of pages while lists are scanned, and lists are empty that were not. */
export const shiftingLists: Scenario = {
  name: 'shifting-lists',
  rows: ['R24', 'R25', 'R26'],
  what: 'rows deleted and made at every page of a scan, ids that are gone, and lists that are empty at once',
  async run(course) {
    const mirrored = await startMirrored(course, {
      prepare: (truth) => {
        for (let id = 1; id <= STAYS; id += 1) truth.put(makeStay(id));
      },
    });
    const { truth, proxy, daemon } = mirrored;
    const scans = course.count ?? SCANS;
    let next = STAYS;
    let changed = 0;
    truth.before = ({ path, query }) => {
      if (path !== '/reservations' || query.has('reservation_code') || query.has('id')) return;
      const offset = Number(query.get('offset') ?? 0);
      // Just before and just behind what is asked for.
      const shown = [...truth.stays.values()].toSorted((a, b) => b.id - a.id);
      for (const at of [offset - 1, offset + PAGE]) {
        const stay = shown[at];
        if (stay && course.dice.percent(60)) truth.stays.delete(stay.id);
        if (course.dice.percent(60)) truth.put(makeStay((next += 1)));
        changed += 1;
      }
    };
    for (let n = 0; n < scans; n += 1) await portal(daemon, 'POST', '/portal/reconcile', { resource: 'reservation' });
    truth.before = () => {};
    await mirrored.quiet();
    const falselyGone = await falseTombstones();
    const since = proxy.passed.length;
    // What was made or went behind a scan's back is found by the next.
    await portal(daemon, 'POST', '/portal/reconcile', { resource: 'reservation' });
    await mirrored.quiet();
    const differences = await mirrored.differences();
    const repeats = new Map<string, number>();
    for (const { path } of proxy.passed.slice(since)) repeats.set(path, (repeats.get(path) ?? 0) + 1);
    const most = Math.max(0, ...[...repeats].filter(([path]) => path.includes('id=')).map(([, count]) => count));

    proxy.rule = ({ path }) =>
      path.startsWith('/v3/reservations') ? { kind: 'bend', bend: (text) => emptied(text) } : undefined;
    await portal(daemon, 'POST', '/portal/reconcile', { resource: 'reservation' }).catch(() => undefined);
    await portal(daemon, 'POST', '/portal/reconcile', { resource: 'reservation' }).catch(() => undefined);
    const [left] = await mirrored.rows('select count(*) as n from mirror.stays where deleted_at is null');
    proxy.rule = () => undefined;
    return [
      promise(
        `${falselyGone} rows falsely deleted in ${scans} scans with ${changed} changes at page boundaries`,
        '0',
        falselyGone === 0,
      ),
      promise(`${differences.length} differences after a scan in peace`, '0', differences.length === 0),
      goal(`a row that is gone was asked for ${most} times`, 'at most 10 an hour', most <= 10),
      promise(
        `${Number(left?.['n'])} of ${truth.stays.size} stays left after two scans through empty lists`,
        'all',
        Number(left?.['n']) === truth.stays.size,
      ),
    ];

    async function falseTombstones(): Promise<number> {
      const gone = await mirrored.rows('select id from mirror.stays where deleted_at is not null');
      return gone.filter((row) => truth.stays.has(Number(row['id']))).length;
    }
  },
};

function emptied(text: string): string {
  const answer = JSON.parse(text) as { data?: { reservations?: unknown } };
  return JSON.stringify({ ...answer, data: { ...answer.data, reservations: [], total: 0 } });
}
