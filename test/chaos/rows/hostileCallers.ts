import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../../src/config.ts';
import { attacks } from '../../service/support/hostileCallers.ts';
import { startPostgres } from '../../support/postgres.ts';
import { call, newToken, settled } from '../../support/service.ts';
import { startBuilt } from '../built.ts';
import { type Course, promise, type Scenario, type Verdict } from '../scenario.ts';

/** More than the service once remembered of a minute, and as many visits again as one link may have. */
const JUNK = 10_500;
/** Of the second run: so few that connections are what runs out. */
const DESCRIPTORS = 1_024;
const CONNECTIONS = 1_500;

/** People who may be here, and strangers, who try to stop or to rob everybody. */
export const hostileCallers: Scenario = {
  name: 'hostile-callers',
  rows: ['S10', 'S13', 'S19', 'S35'],
  what: 'attacks that hold everybody up, take what is another’s or outlive their rights, on SQLite and on PostgreSQL',
  needs: ['postgres'],
  async run(course) {
    const server = await startPostgres();
    course.atEnd(() => server.stop());
    return [
      ...(await attacked(course, 'SQLite', {})),
      ...(await attacked(course, 'PostgreSQL', { STAYD_DATABASE_URL: await server.emptyDatabase() })),
      ...(await crowded(course)),
    ];
  },
};

async function attacked(course: Course, database: string, environment: Environment): Promise<Verdict[]> {
  const service = await startBuilt(course.folder(), { STAYD_OUTBOUND_ALLOW: '127.0.0.0/8', ...environment });
  course.atEnd(() => service.kill('SIGKILL'));
  await settled(service);
  const token = await newToken(service);
  const verdicts: Verdict[] = [];
  for (const { name, play } of attacks) {
    course.say(`${database}: ${name}`);
    const through = await play({ service, token, junk: course.count ?? JUNK }).catch((error: unknown) => [
      error instanceof Error ? error.message : String(error),
    ]);
    const said = through.length === 0 ? 'nothing' : through.join('; ');
    verdicts.push(promise(`${database}, ${name}: ${said} got through`, 'nothing', through.length === 0));
  }
  // Whoever was let in before still is.
  const still = await call(service, 'GET', '/v3/properties', { token });
  verdicts.push(promise(`${database}, afterwards: ${still.json?.error_code}`, '200', still.json?.error_code === 200));
  await service.kill('SIGINT');
  return verdicts;
}

/** More connections than the process may have files: it works on, and lets others in again as soon as there is room. */
async function crowded(course: Course): Promise<Verdict[]> {
  const limited = { under: ['sh', '-c', `ulimit -n ${DESCRIPTORS} && exec "$@"`, 'sh'] };
  const service = await startBuilt(course.folder(), {}, limited);
  course.atEnd(() => service.kill('SIGKILL'));
  await settled(service);
  const token = await newToken(service);
  const { hostname, port } = new URL(service.url);
  const within = await openConnections(course, { host: hostname, port: Number(port) });
  within.close();
  const begun = performance.now();
  const made = await call(service, 'POST', '/v3/properties', { token, body: { title: 'After the crowd' } });
  const ms = Math.round(performance.now() - begun);
  const isRight = made.json?.error_code === 200 && within.open < DESCRIPTORS;
  return [
    promise(
      `${within.open} of ${CONNECTIONS} connections let in with ${DESCRIPTORS} descriptors; a change after them: ${made.json?.error_code} in ${ms} ms`,
      'fewer than the descriptors, and 200',
      isRight,
    ),
  ];
}

async function openConnections(course: Course, place: { host: string; port: number }) {
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(place);
    socket.on('error', () => {});
    return socket;
  });
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  course.atEnd(close);
  await wait(2_000);
  return { open: sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').length, close };
}
