import { CallError } from '../../client/callError.ts';
import { type Client, createClient } from '../../client/client.ts';
import { knowingAccount, unknownAccount } from '../../client/knowingAccount.ts';
import { startTally } from '../../client/tally.ts';
import { openPool } from '../../client/transport.ts';
import type { Config } from '../../config.ts';
import { accountConnections, FIRST_CONNECTION } from '../../core/accounts/connections.ts';
import type { CoreDb } from '../../core/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { msOf } from '../../kernel/dates.ts';
import { messageOf, OperatorError } from '../../kernel/errors.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { troublesOf } from '../../sync/connection/troubles/all.ts';
import { hookContext } from '../../sync/tables/rows/sealedValues.ts';
import type { Examination } from '../../sync/connection/examine.ts';
import type { ConnectionSettings } from '../../sync/connection/settings.ts';
import type { Trouble } from '../../sync/connection/troubles/trouble.ts';
import { connectionSettings } from '../mirror/connections.ts';
import { knownSealer } from '../privacy/privateFiles.ts';
import { locationOf } from '../stores/stores.ts';
import { version } from '../version.ts';
import { ask } from '../../client/ask.ts';
import { afterRefusal } from './afterRefusal.ts';
import { type Finding, note, ok, problem } from './finding.ts';
import { type Examinations, lookAtExamination } from './running.ts';

/** Milliseconds. Webhook signatures tolerate five minutes; a clock that is a minute off is no accident. */
const MOST_SKEW_MS = 60_000;

/** Reads the mirror's facts about its connections. */
function known(db: MirrorDb) {
  return db
    .selectFrom('connections')
    .select((of) => [
      'connection',
      'state',
      'reason',
      'state_at',
      'caught_up_at',
      'webhook_id',
      'webhook_url',
      of
        .selectFrom('connection_facts as fact')
        .select('fact.value')
        .whereRef('fact.connection', '=', 'connections.connection')
        .where('fact.name', '=', 'automations_disarmed')
        .as('disarmed'),
      of
        .selectFrom('upstream_tokens as access')
        .select('access.refused')
        .whereRef('access.connection', '=', 'connections.connection')
        .as('refused'),
      of
        .selectFrom('upstream_tokens as access')
        .select('access.expires_at')
        .whereRef('access.connection', '=', 'connections.connection')
        .as('token_until'),
      of
        .selectFrom('dirty_keys as dirty')
        .select((dirty) => dirty.fn.countAll<number>().as('dead'))
        .whereRef('dirty.connection', '=', 'connections.connection')
        .where('dirty.state', '=', 'dead')
        .as('dead'),
    ])
    .orderBy('connection')
    .execute();
}

type Known = Awaited<ReturnType<typeof known>>[number];

/** The running service, if any, and its own report. */
interface Running {
  url: string | undefined;
  examined: Examinations | undefined;
}

/** Returns the problems between the mirror and its sources. */
export async function lookAtConnections(
  config: Config,
  clock: Clock,
  { url: running, examined }: Running,
): Promise<Finding[]> {
  const connections = await readRows(locationOf(config, 'mirror'), async (db: MirrorDb) => {
    const rows = await known(db);
    return Promise.all(
      rows.map(async (row) => ({ ...row, troubles: await troublesOf(db, row.connection, clock.now()) })),
    );
  });
  const remote = connectionSettings(config, clock, { url: running ?? 'http://127.0.0.1', accounts: [] });
  const beside = await mirroredBeside(config);
  const findings: Finding[] = [ownClock(connections, clock)];
  for (const one of connections) {
    const settings = remote.find((setting) => setting.id === one.connection);
    const examination = examined?.connections[one.connection];
    // A stored connection without settings is ignored unless the service runs it.
    if (!settings && !examination && !beside.has(one.connection)) continue;
    findings.push(...standing(one), ...troublesIn(one, examination, running), ...(await webhook(one, running, config)));
    if (settings || (examination && !beside.has(one.connection))) {
      findings.push(...(await clocks(one.connection, examination?.base_url ?? settings?.baseUrl ?? '', clock)));
    }
    // The settings of the running service count, whatever the file says.
    if (examination) findings.push(...lookAtExamination(one.connection, examination));
    else if (settings) findings.push(...(await ownToken(settings, one, clock)));
  }
  return findings;
}

/** Returns the connections of accounts of the core here that are to be mirrored. */
async function mirroredBeside(config: Config): Promise<ReadonlySet<string>> {
  try {
    const rows = await readRows(locationOf(config, 'core'), (db: CoreDb) => accountConnections(db));
    return new Set(rows.filter(({ mirrored }) => mirrored === 1).map(({ connection }) => connection));
  } catch {
    // The core is not there, or of an earlier version; other findings say so.
    return new Set([FIRST_CONNECTION]);
  }
}

function ownClock(connections: readonly Known[], clock: Clock): Finding {
  const newest = Math.max(
    0,
    ...connections.flatMap((one) => [one.state_at, one.caught_up_at ?? one.state_at]).map(msOf),
  );
  return newest > clock.now() + MOST_SKEW_MS
    ? problem('clock', 'the clock of this machine is behind what the mirror has seen of it', 'set it, best by NTP')
    : ok('clock', 'the clock of this machine has not gone back');
}

function standing({ connection, state, reason, state_at, disarmed, dead }: Known): Finding[] {
  const check = `connection ${connection}`;
  return [
    state === 'paused'
      ? problem(check, `nothing is read since ${state_at}: ${reason ?? 'it was refused'}`, afterRefusal(reason ?? ''))
      : ok(check, 'it reads'),
    ...(Number(dead) > 0
      ? [problem(check, `${dead} keys could not be read for a day`, './stayd reconcile reads them again')]
      : []),
    ...(disarmed === null
      ? []
      : [
          note(
            check,
            `automations are disarmed: ${disarmed}`,
            'look at what they would do, then POST /portal/automations/arm',
          ),
        ]),
  ];
}

/** Reports troubles, among them that all data ages because no service runs. */
function troublesIn(
  { connection, troubles }: Known & { troubles: Trouble[] },
  examination: Examination | undefined,
  running: string | undefined,
): Finding[] {
  return [...troubles, ...(examination?.holds ?? [])]
    .filter(({ about }) => about !== 'freshness' || running !== undefined)
    .map((trouble) => toldOf(connection, trouble));
}

function toldOf(connection: string, { about, level, says, remedy }: Trouble): Finding {
  const check = `${about} of ${connection}`;
  return level === 'note' ? note(check, says, remedy) : problem(check, says, remedy);
}

const NOT_PROVEN = 401;

async function webhook(
  { connection, webhook_url: sealed }: Known,
  running: string | undefined,
  config: Config,
): Promise<Finding[]> {
  const check = `webhook of ${connection}`;
  if (sealed === null) {
    const remedy = 'give a writable token, or register the URL by hand and configure its secret; see docs/connect.md';
    return [note(check, 'none is registered by stayd: without events only scans find changes', remedy)];
  }
  if (running === undefined) return [note(check, 'stayd is not running, so it was not tried', './stayd start')];
  const url = openedAddress(sealed, connection, config);
  if (url === undefined) {
    const remedy = 'see what is said of the secret key';
    return [note(check, 'its address does not open with the key that is here, so it was not tried', remedy)];
  }
  const answer = await ask(url, 'POST');
  if (answer?.status === NOT_PROVEN) return [ok(check, `${url} is reached, and takes nothing unproven`)];
  const says = answer ? `${url} answers ${answer.status}: somebody else is there` : `${url} does not answer`;
  return [problem(check, says, 'let that address lead to this stayd, or set public_url of the connection')];
}

/** Opens a sealed address; undefined if another key sealed it or it is damaged. The check of the key says which. */
function openedAddress(
  sealed: string,
  connection: string,
  { data_dir, secret_key }: Pick<Config, 'data_dir' | 'secret_key'>,
): string | undefined {
  try {
    return knownSealer(data_dir, secret_key)?.open(sealed, hookContext(connection));
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

async function clocks(connection: string, baseUrl: string, clock: Clock): Promise<Finding[]> {
  const check = `upstream of ${connection}`;
  const answer = await ask(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/v3/accounts/me`, 'GET');
  if (!answer) return [problem(check, `${baseUrl} does not answer`, 'check url of the connection, and the network')];
  const skew = answer.now === undefined ? 0 : Math.abs(answer.now - clock.now());
  return [
    skew > MOST_SKEW_MS
      ? problem(
          check,
          `its clock and ours are ${Math.round(skew / 1_000)} s apart`,
          'set the clock of this machine by NTP',
        )
      : ok(check, `${baseUrl} answers, and its clock is ours`),
  ];
}

/** Tests the configured token, for the case that no running service can be asked. */
async function ownToken(settings: ConnectionSettings, known: Known, clock: Clock): Promise<Finding[]> {
  const { token: given } = settings;
  // A refresh token works once, and the running service holds it.
  if (typeof given !== 'function') return [byOAuth(settings.id, known)];
  const pool = openPool(settings.baseUrl);
  try {
    const asking = createClient({
      ...settings,
      token: given,
      clock,
      tally: startTally(),
      userAgent: `stayd/${version()}`,
      dispatcher: pool,
    });
    const { id, profile, account = unknownAccount(id) } = settings;
    return await token(knowingAccount(asking, profile, account), settings, known);
  } finally {
    await pool.close();
  }
}

function byOAuth(connection: string, { refused, token_until: until }: Known): Finding {
  const check = `token of ${connection}`;
  if (refused)
    return problem(check, `by OAuth: ${refused}`, 'give stayd access again and configure the new refresh token');
  return until === null
    ? note(check, 'by OAuth: there is no access token yet', './stayd start; the log shows the result')
    : ok(check, `by OAuth: the access token is good until ${until} and is refreshed before`);
}

async function token(client: Client, { id, webhook: hook }: ConnectionSettings, known: Known): Promise<Finding[]> {
  const check = `token of ${id}`;
  const purpose = { purpose: 'setup' } as const;
  try {
    await client.call('getAccount', {}, purpose);
    if (known.webhook_id === null && hook.secret === undefined) {
      return [note(check, 'it reads; whether it may write was not tried', 'see the webhook')];
    }
    if (hook.secret !== undefined) return [ok(check, 'it reads; the webhook was made by hand')];
    const { webhooks } = (await client.call('listWebhooks', {}, purpose)).data;
    const own = webhooks.find((one) => one.id === known.webhook_id);
    if (own?.id == null || own.url === null) {
      return [problem(check, 'it reads, but our webhook is not registered there', './stayd start registers it again')];
    }
    // The call writes the value that is already there, so it changes nothing; a read-only token is refused.
    await client.call('updateWebhook', { id: own.id, url: own.url }, purpose);
    return [ok(check, 'it reads and writes, and our webhook is registered')];
  } catch (error) {
    const says = messageOf(error);
    if (error instanceof CallError && error.client === 'host') return [problem(check, says, afterRefusal(says))];
    return [problem(check, says, 'try again in a moment; the log of the service may say more')];
  }
}
