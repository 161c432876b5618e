import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { call, newToken, portal, settled, v3 } from '../../support/service.ts';
import { startBuilt } from '../built.ts';
import { promise, type Scenario } from '../scenario.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'America/Asuncion',
] as const;
/** Stays round leap days, ends of years and changes of the clock. */
const STAYS = [
  ['2028-02-27', '2028-03-01'],
  ['2026-12-30', '2027-01-02'],
  ['2027-03-26', '2027-03-30'],
  ['2027-10-30', '2027-11-02'],
  ['2027-11-06', '2027-11-09'],
] as const;

/** The same data, served by processes in six time zones. */
export const timeZones: Scenario = {
  name: 'time-zones',
  rows: ['R27'],
  what: 'one data directory under six values of TZ: every report, list and calendar',
  async run(course) {
    const template = course.folder();
    const environment = { STAYD_SECRET_KEY: '11'.repeat(32), STAYD_ACCOUNT_TIME_ZONE: 'Europe/Berlin' };
    const first = await startBuilt(template, environment);
    await settled(first);
    const token = await newToken(first);
    const { property_id } = await v3(first, token, 'POST', '/properties', { name: 'House' });
    for (const [check_in_date, check_out_date] of STAYS) {
      await v3(first, token, 'POST', '/reservations', {
        property_id,
        check_in_date,
        check_out_date,
        guest_name: 'Ada',
        rate_amount: 300.5,
        commission_amount: 10,
        received_amount: 50,
      });
    }
    await settled(first);
    await portal(first, 'POST', '/portal/reconcile', {});
    await settled(first);
    await first.kill('SIGINT');
    const answers = new Map<string, Map<string, string>>();
    for (const zone of ZONES) {
      const dataDir = join(course.folder(), 'data');
      cpSync(template, dataDir, { recursive: true });
      const service = await startBuilt(dataDir, { ...environment, TZ: zone });
      course.atEnd(() => service.kill('SIGKILL'));
      await settled(service);
      answers.set(zone, await answersOf(service, token, property_id));
      await service.kill('SIGINT');
      rmSync(dataDir, { recursive: true, force: true });
    }
    const reference = answers.get(ZONES[0]) ?? new Map<string, string>();
    const unlike = ZONES.flatMap((zone) =>
      [...reference].filter(([path, text]) => answers.get(zone)?.get(path) !== text).map(([path]) => `${zone} ${path}`),
    );
    const bytes = [...reference.values()].reduce((sum, text) => sum + text.length, 0);
    const what = `${reference.size} answers of ${bytes} bytes in ${ZONES.length} zones`;
    return [promise(`${what}: ${unlike.length} differ ${unlike.slice(0, 5).join(', ')}`, '0', unlike.length === 0)];
  },
};

async function answersOf(
  service: Parameters<typeof portal>[0],
  token: string,
  property: number,
): Promise<Map<string, string>> {
  await portal(service, 'POST', '/portal/exports/book', {});
  const { reports } = await portal(service, 'GET', '/mirror/reports');
  const range = 'from=2026-12-01&to=2028-03-31';
  const paths = [
    ...reports.map(
      ({ name, options }: { name: string; options: string[] }) =>
        `/mirror/reports/${name}${options.includes('--from') ? `?${range}` : ''}`,
    ),
    '/v3/reservations?limit=100',
    '/v3/transactions?limit=100&start_date=2026-01-01&end_date=2026-12-31',
    `/v3/availabilities?property_ids=${property}&start_date=2027-03-20&end_date=2027-11-15`,
  ] as string[];
  const answers = new Map<string, string>();
  for (const path of paths) {
    const { http, text } = await call(service, 'GET', path, path.startsWith('/v3') ? { token } : {});
    if (http !== 200) throw new Error(`${path}: ${text}`);
    answers.set(
      path,
      text.replace(/"request_id":"[^"]*"/, '').replaceAll(/"(as_of|at|asked_at|booked_at)":"[^"]*"/g, ''),
    );
  }
  return answers;
}
