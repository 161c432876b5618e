import type { JetStreamClient } from '@nats-io/jetstream';
import type { Authenticator, NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../kernel/errors.ts';
import { tlsProblem } from './tlsProblem.ts';

/** Milliseconds for the broker to answer. */
const ANSWER_LIMIT_MS = 5_000;
/** Milliseconds after which a silent connection is asked whether it is alive; the second silence ends it. */
const PING_MS = 20_000;
/** Within this time a stream that stayd creates recognises what was published before. */
const WINDOW_MS = 60 * 60_000;
/** Room for the heads of a message, which count as well. */
const HEAD_BYTES = 512;
/** Words of the client for a broker that does not encrypt. */
const NO_TLS = "server does not support 'tls'";
/** Code of JetStream: there is a stream of this name with other settings. */
const STREAM_EXISTS = 10_058;

/** The broker, as its operator has set it; it may lie in a private network. */
export interface NatsSettings {
  /** Such as `tls://nats.example:4222`. With `tls://` nothing is said before the connection is encrypted. */
  servers: readonly string[];
  stream: string;
  /** Subjects of a stream that is to be created if it is missing; undefined: it must be there. */
  create: readonly string[] | undefined;
  user: string | null;
  password: string | null;
  token: string | null;
  /** Seed of an nkey. */
  nkey: string | null;
  /** Content of a file with credentials. */
  creds: string | null;
  /** Files. */
  tls: { ca: string | null; cert: string | null; key: string | null };
}

export interface BrokerMessage {
  subject: string;
  /** By which the stream recognises a repeat. */
  id: string;
  body: string;
}

/** Why the broker does not take something, in words for people, with what may help. */
export class BrokerError extends Error {
  override readonly name = 'BrokerError';
}

type Libraries = Awaited<ReturnType<typeof load>>;
interface Open {
  nc: NatsConnection;
  js: JetStreamClient;
}

/** A stream of a NATS broker with JetStream. It connects when it is needed, and again after every failure. */
export class NatsBroker {
  readonly #settings: NatsSettings;
  #open: Promise<Open> | undefined;

  constructor(settings: NatsSettings) {
    this.#settings = settings;
  }

  /** The addresses, for people. */
  get name(): string {
    return this.#settings.servers.join(', ');
  }

  /** Connects unless it is connected. @returns the most bytes of a body @throws BrokerError */
  async ready(): Promise<number> {
    return await this.#asking(undefined, async ({ nc }) => (nc.info?.max_payload ?? 0) - HEAD_BYTES);
  }

  /** Resolves when the stream has stored the message, or had it already. @throws BrokerError */
  async publish({ subject, id, body }: BrokerMessage): Promise<void> {
    await this.#asking(subject, ({ js }) =>
      js.publish(subject, body, {
        msgID: id,
        expect: { streamName: this.#settings.stream },
        timeout: ANSWER_LIMIT_MS,
      }),
    );
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.then(
      ({ nc }) => nc.close(),
      () => undefined,
    );
  }

  async #asking<T>(subject: string | undefined, ask: (open: Open) => Promise<T>): Promise<T> {
    const libraries = await load();
    try {
      return await ask(await this.#connected(libraries));
    } catch (error) {
      // A refusal leaves the connection whole; after anything else nobody knows its state.
      if (!isRefusal(error, libraries)) await this.close();
      if (error instanceof BrokerError) throw error;
      throw new BrokerError(this.#wordsOf(error, libraries, subject), { cause: error });
    }
  }

  #connected(libraries: Libraries): Promise<Open> {
    if (this.#open) return this.#open;
    const opening = this.#connect(libraries);
    this.#open = opening;
    const forget = (): void => {
      if (this.#open === opening) this.#open = undefined;
    };
    opening.then(({ nc }) => nc.closed()).then(forget, forget);
    return opening;
  }

  async #connect({ net, stream }: Libraries): Promise<Open> {
    const { servers, tls, stream: name, create } = this.#settings;
    const isEncrypted = servers.some((server) => server.startsWith('tls:')) || Object.values(tls).some((one) => one);
    const nc = await net.connect({
      servers: [...servers],
      name: 'stayd',
      timeout: ANSWER_LIMIT_MS,
      pingInterval: PING_MS,
      // What follows the feed tries again by itself, in order.
      reconnect: false,
      ignoreClusterUpdates: true,
      ...signIn(this.#settings, net),
      ...(isEncrypted && {
        tls: {
          ...(tls.ca !== null && { caFile: tls.ca }),
          ...(tls.cert !== null && { certFile: tls.cert }),
          ...(tls.key !== null && { keyFile: tls.key }),
        },
      }),
    });
    try {
      if (create) await createStream(nc, stream, { name, subjects: create });
    } catch (error) {
      await nc.close();
      throw error;
    }
    return { nc, js: stream.jetstream(nc, { timeout: ANSWER_LIMIT_MS }) };
  }

  #wordsOf(error: unknown, { net, stream }: Libraries, subject: string | undefined): string {
    const { stream: name, servers } = this.#settings;
    const host = servers.join(', ');
    if (error instanceof net.AuthorizationError || error instanceof net.UserAuthenticationExpiredError) {
      return `${host} refuses what stayd signs in with (${messageOf(error)}): see nats.user, token, nkey or creds`;
    }
    const denied = denialIn(error, net);
    if (denied) {
      return `${host} does not let stayd ${denied.operation} ${denied.subject}: give its user the right`;
    }
    if (error instanceof stream.JetStreamApiError) {
      return `the stream ${name} at ${host} refuses${subject === undefined ? '' : ` ${subject}`}: ${error.message}`;
    }
    if (hasNoTaker(error, net)) {
      return subject === undefined
        ? `${host} has no JetStream: switch it on there`
        : `no stream at ${host} takes ${subject}: create it there, or set nats.create_stream: true`;
    }
    if (error instanceof net.TimeoutError) return `${host} does not answer in time`;
    if (messageOf(error) === NO_TLS) return `${host} offers no TLS, and tls:// or nats.tls asks for it`;
    const ofTls = tlsProblem(error, { host, security: 'tls' });
    return ofTls ?? `${host} cannot be reached: ${messageOf(error)}`;
  }
}

/** Loaded only where a broker is set. */
const load = () => import('./natsLibraries.ts');

function isRefusal(error: unknown, { net, stream }: Libraries): boolean {
  return error instanceof stream.JetStreamApiError || denialIn(error, net) !== undefined || hasNoTaker(error, net);
}

function denialIn(error: unknown, net: Libraries['net']) {
  const { cause } = Object(error) as { cause?: unknown };
  return [error, cause].find((one) => one instanceof net.PermissionViolationError);
}

function hasNoTaker(error: unknown, net: Libraries['net']): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof net.RequestError && cause.isNoResponders();
}

function signIn({ user, password, token, nkey, creds }: NatsSettings, net: Libraries['net']) {
  const bytes = (text: string) => new TextEncoder().encode(text);
  if (creds !== null) return { authenticator: tried('creds', net.credsAuthenticator(bytes(creds))) };
  if (nkey !== null) return { authenticator: tried('nkey', net.nkeyAuthenticator(bytes(nkey))) };
  if (token !== null) return { token };
  return user === null || password === null ? {} : { user, pass: password };
}

/** Signs something, so that a key that is none is told by the name of its setting. @throws BrokerError */
function tried(setting: 'creds' | 'nkey', authenticator: Authenticator): Authenticator {
  try {
    authenticator('nonce');
  } catch (error) {
    throw new BrokerError(`nats.${setting} cannot be read: ${messageOf(error)}`, { cause: error });
  }
  return authenticator;
}

/** Creates a stream; one that is there stays as it is. */
async function createStream(
  nc: NatsConnection,
  { jetstreamManager, JetStreamApiError }: Libraries['stream'],
  { name, subjects }: { name: string; subjects: readonly string[] },
): Promise<void> {
  const manager = await jetstreamManager(nc, { timeout: ANSWER_LIMIT_MS });
  try {
    await manager.streams.add({ name, subjects: [...subjects], duplicate_window: WINDOW_MS * 1_000_000 });
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === STREAM_EXISTS) return;
    throw error;
  }
}
