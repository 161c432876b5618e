import type { Environment } from '../../../src/config.ts';
import { randomOperations } from '../../service/support/operations.ts';
import { startPostgres } from '../../support/postgres.ts';
import { newToken, portal, rowsOf, settled, v3 } from '../../support/service.ts';
import { startBuilt } from '../built.ts';
import { type Course, promise, type Scenario } from '../scenario.ts';

const OPERATIONS = 600;
const SETTLE_MS = 300_000;

/**
 * All that does not hold a code that was drawn, or the moment it was made. A refused booking takes numbers with it on
 * PostgreSQL alone, so stays are told by their order.
 */
const QUESTIONS = {
  stays: `select property_id, status, check_in_date, check_out_date, number_of_guests, rate, commission, deposit
    from core.stays order by id`,
  nights: 'select property_id, night from core.nights order by property_id, night',
  entries: `select id, direction, item_id, payment_method_id, amount, currency, property_id from core.transactions
    order by id`,
  'mirrored stays': `select property_id, status, check_in_date, check_out_date, rate_minor, total_rate_minor,
    deposit_minor from mirror.stays where deleted_at is null order by id`,
  'mirrored nights': `select property_id, night, status from mirror.stay_nights where property_id <> 0
    order by property_id, night, status`,
  'mirrored entries': `select id, direction, amount_minor, currency, property_id from mirror.transactions
    where deleted_at is null order by id`,
  'free days': `select property_id, date, available from mirror.availability_days order by property_id, date`,
} as const;

/** The same work on both kinds of databases. */
export const parity: Scenario = {
  name: 'parity',
  rows: ['R34'],
  what: 'one log of operations on SQLite and on PostgreSQL',
  needs: ['postgres'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    const operations = course.count ?? OPERATIONS;
    const seed = course.dice.between(1, 1_000_000);
    const sqlite = await worked(course, operations, seed, {});
    const postgres = await worked(course, operations, seed, { STAYD_DATABASE_URL: await server.emptyDatabase() });
    const unlike = Object.keys(sqlite).flatMap((name) => unlikeIn(name, sqlite[name] ?? '', postgres[name] ?? ''));
    const bytes = Object.values(sqlite).join('').length;
    return [
      promise(
        `${operations} operations, dumps of ${bytes} bytes: ${unlike.join(', ') || 'none'} differ`,
        'none',
        unlike.length === 0,
      ),
    ];
  },
};

async function worked(
  course: Course,
  operations: number,
  seed: number,
  environment: Environment,
): Promise<Record<string, string>> {
  const service = await startBuilt(course.folder(), environment);
  course.atEnd(() => service.kill('SIGKILL'));
  await settled(service);
  const token = await newToken(service);
  const done = await randomOperations(
    {
      ...service,
      token,
      v3: (method, path, body) => v3(service, token, method, path, body),
      portal: (method, path, body) => portal(service, method, path, body),
      settled: () => settled(service, SETTLE_MS),
    },
    operations,
    seed,
  );
  await settled(service, SETTLE_MS);
  await portal(service, 'POST', '/portal/reconcile', {});
  await settled(service, SETTLE_MS);
  const dump: Record<string, string> = { done: JSON.stringify(done) };
  for (const [name, question] of Object.entries(QUESTIONS))
    dump[name] = JSON.stringify(await rowsOf(service, question));
  await service.kill('SIGINT');
  return dump;
}

/** The first place where two dumps differ. */
function unlikeIn(name: string, one: string, other: string): string[] {
  if (one === other) return [];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 120), at + 60);
  return [`${name} (${around(one)} and ${around(other)})`];
}
