import { type Client, createClient } from '../../client/client.ts';
import { type AskGuestLink, guestLinkQuestion } from '../../client/guestLinks.ts';
import { knowingAccount, unknownAccount } from '../../client/knowingAccount.ts';
import { knowingTypes } from '../../client/knowingTypes.ts';
import { refreshByJson } from '../../client/refreshByJson.ts';
import { refreshTokens } from '../../client/refreshTokens.ts';
import { retrying } from '../../client/retrying.ts';
import type { Tally } from '../../client/tally.ts';
import { Topic } from '../../kernel/topic.ts';
import type { Dispatcher } from '../../client/transport.ts';
import { type AskUndelivered, undeliveredQuestion } from '../../client/undelivered.ts';
import { countRefusals, type Refusals } from '../ingest/refusals/refusals.ts';
import { DeliverySecrets } from './webhook/deliverySecrets.ts';
import type { Feed } from '../feed/feed.ts';
import type { LookUpContext } from '../refetch/lookUpContext.ts';
import { keysPerRequest } from '../refetch/keysPerRequest.ts';
import { openMeter } from '../trust/measures/meter.ts';
import { namedRows } from '../apply/namedRows.ts';
import { sourceWatch } from './source/sourceWatch.ts';
import { Pausing } from './tokens/pausing.ts';
import { CONCURRENCY } from '../refetch/reader.ts';
import { Registering } from './webhook/registering.ts';
import { impatient, PATIENCE_MS } from '../budget/impatient.ts';
import type { ConnectionSettings } from './settings.ts';
import { scanFacts } from '../scans/bursts.ts';
import type { Surroundings } from './surroundings.ts';
import { UpstreamTokens } from './tokens/upstreamTokens.ts';
import { LoadMonitor } from '../queue/loadMonitor.ts';
import { countUnknownFields, type UnknownFields } from '../apply/unknownFields.ts';
import { type AccountZone, accountZone } from './zone.ts';

/** Attempts of a request of a scan; with the backoff between them, some minutes. */
const SCAN_ATTEMPTS = 9;

/** What the parts of one connection announce to each other; `openConnection` says who listens. */
interface ConnectionSignals {
  /** Keys became dirty, or may be read again; with the moment at which they are due, if it is known. */
  keysDue: Topic<number | undefined>;
  /** Something may have been missed: everything must be read again, for this reason. */
  catchUpDue: Topic<string>;
  /** One scan of this resource costs less than the look-ups that wait. */
  burstDue: Topic<string>;
}

/** The objects that the parts of one connection share. */
export interface Parts extends LookUpContext, ReturnType<typeof sourceWatch> {
  around: Surroundings;
  settings: ConnectionSettings;
  patient: Client;
  /** The client for requests that a person or other work waits for. */
  commands: Client;
  askUndelivered: AskUndelivered;
  askGuestLink: AskGuestLink;
  zoneOfAccount: AccountZone;
  secrets: DeliverySecrets;
  refusals: Refusals;
  unknowns: UnknownFields;
  /** Given where upstream is read by OAuth. */
  tokens: UpstreamTokens | undefined;
  pauses: Pausing;
  conditions: LoadMonitor;
  bursts: ReturnType<typeof scanFacts>;
  signals: ConnectionSignals;
  registering: Registering;
}

/** The input of one connection, beside the surroundings that all of them share. */
interface Outside {
  tally: Tally;
  feed: Feed;
  dispatcher: Dispatcher;
  signal: AbortSignal;
}

/** Opens the tokens of a connection that is authorized by OAuth. */
async function tokensOf(
  around: Surroundings,
  { id: connection, token: access, profile }: ConnectionSettings,
  by: string,
  signal: AbortSignal,
): Promise<UpstreamTokens | undefined> {
  if (typeof access === 'function') return undefined;
  const { userAgent } = around;
  const refresh = profile.oauth.by === 'json' ? refreshByJson(userAgent, profile, signal) : refreshTokens(userAgent);
  return UpstreamTokens.open({ ...around, connection, access, by, signal, refresh });
}

/** The clients of a connection: one attempt each, many for scans, and many within limits for what somebody waits for. */
function clientsOf(
  { clock, random, userAgent, tracer }: Surroundings,
  { id, baseUrl, profile, gate, strict = false, account, token, propagatesTraces = false }: ConnectionSettings,
  made: Pick<Outside, 'tally' | 'dispatcher'> & Pick<Parts, 'tokens' | 'unknowns' | 'time'>,
): Pick<Parts, 'client' | 'patient' | 'commands' | 'askUndelivered' | 'askGuestLink'> {
  const { tally, dispatcher, tokens, unknowns, time } = made;
  const access = tokens
    ? { token: () => tokens.token(), renew: (refused: string) => tokens.renew(refused) }
    : { token: token as () => string | Promise<string> };
  const other = { ...access, baseUrl, profile, clock, userAgent, dispatcher, onAnswered: time.answered };
  const asking = createClient({
    ...other,
    gate,
    tally,
    strict,
    ...(tracer && { tracing: { tracer, propagates: propagatesTraces, connection: id } }),
    onUnknowns: (operation, found) => unknowns.note(operation, found),
  });
  const client = knowingAccount(knowingTypes(asking), profile, account ?? unknownAccount(id));
  const often = { clock, random, attempts: SCAN_ATTEMPTS };
  return {
    client,
    askUndelivered: undeliveredQuestion(other),
    askGuestLink: guestLinkQuestion(other),
    patient: retrying(client, often),
    commands: retrying(impatient(client, gate, clock), { ...often, mostWaitMs: PATIENCE_MS }),
  };
}

/** Makes the parts that one connection shares: clients, gate, tokens and the state of its source. */
export async function makeParts(
  around: Surroundings,
  settings: ConnectionSettings,
  paused: boolean,
  { tally, feed, dispatcher, signal }: Outside,
): Promise<Parts> {
  const { store, clock, sealer, numbers, log } = around;
  const { id: connection, profile } = settings;
  const own = { store, connection, clock };
  const by = around.ids();
  const zoneOfAccount = await accountZone(store, connection);
  const tokens = await tokensOf(around, settings, by, signal);
  const unknowns = countUnknownFields({ ...own, log });
  const watch = sourceWatch({ connection, clock, log, showsAtOnce: settings.showsAtOnce ?? false });
  const clients = clientsOf(around, settings, { tally, dispatcher, tokens, unknowns, time: watch.time });
  const { client } = clients;
  const signals: ConnectionSignals = { keysDue: new Topic(), catchUpDue: new Topic(), burstDue: new Topic() };
  const secrets = await DeliverySecrets.open({ store, settings, sealer, clock, log });
  const onSecret = (secret: string) => secrets.add(secret);
  const bursts = scanFacts(store.db, connection, () => clock.monotonic());
  const row = { db: store.db, connection, clock };
  return {
    around,
    settings,
    ...own,
    ...(around.tracer && { tracer: around.tracer }),
    numbers,
    named: namedRows({ ...own, numbers }),
    signal,
    by,
    tokens,
    ...clients,
    zone: zoneOfAccount.now,
    reading: () => ({ connection, zone: zoneOfAccount.now(), reviewsBy: profile.reviews_by }),
    zoneOfAccount,
    ...watch,
    onChanges: () => feed.notify(),
    fingerprint: around.fingerprint,
    secrets,
    registering: new Registering({ around, settings, connection, clock, signal, client, onSecret }),
    refusals: countRefusals({ ...own, log }),
    unknowns,
    pauses: new Pausing({ ...row, client, log, paused, onResume: () => signals.keysDue.publish(undefined) }),
    bursts,
    conditions: new LoadMonitor({ ...row, resources: keysPerRequest, scans: bursts, atOnce: CONCURRENCY }),
    signals,
    meter: openMeter({
      ...own,
      onPropagated: (resource, seconds) => around.onPropagated?.(connection, resource, seconds),
    }),
  };
}
