import { connect, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Clock } from '../kernel/clock.ts';
import { setAwakeTimer } from './awakeTimer.ts';
import { messageOf } from '../kernel/errors.ts';
import { readAddress } from './addresses.ts';
import { allowsName, mayDial, readPolicy, type TargetPolicy } from './policy.ts';
import { type Resolve, systemResolve } from './resolve.ts';
import { bareHost, checkTarget, portOf } from './target.ts';

/** The default milliseconds for name look-up, TCP and TLS together. */
const CONNECT_LIMIT_MS = 5_000;
/** Milliseconds after which the next address of the same name is tried in parallel. */
const NEXT_ADDRESS_MS = 800;
/**
 * Milliseconds below the 5 s after which common servers hang up, so that a request seldom meets a closing connection.
 */
const IDLE_MS = 4_000;
/** Milliseconds that an idle connection lives at most, whatever the server offers. */
const IDLE_MAX_MS = 30_000;
/** A backstop for callers without a limit of their own. */
const SILENCE_LIMIT_MS = 15_000;
/** The default number of connections to one origin. */
export const CONNECTIONS_PER_ORIGIN = 32;

/** Opens a TCP connection to one of these addresses, and to nothing else. */
export type Dial = (addresses: readonly string[], port: number) => Socket;

export interface DispatcherOptions {
  policy: TargetPolicy;
  clock: Clock;
  /** Connections to one origin at most. */
  connections?: number;
  connectLimitMs?: number;
  resolve?: Resolve;
  dial?: Dial;
  /** Trust in place of the system's certificate authorities. */
  trust?: SecureContext;
}

/** The reason for a missing connection; the names are delivery outcomes. */
type ConnectProblem = 'bad_url' | 'private_address' | 'dns' | 'connect' | 'tls' | 'timeout';

/** Thrown to a request whose connection was refused or failed. The message is for the operator only. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';
  readonly problem: ConnectProblem;

  constructor(problem: ConnectProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/**
 * The only path to URLs from users. Each connection opens in five steps: judge the URL, look the name up once, refuse
 * it if *any* address is not public, dial those very addresses, and judge the reached address before a byte is sent.
 * There is no second look-up, in which a rebinding name would change its answer. Errors and doubts refuse. Proxies and
 * redirects are not followed. Connections persist while they are used; an idle origin is closed and forgotten.
 */
export function guardedDispatcher(options: DispatcherOptions): Dispatcher {
  readPolicy(options.policy);
  return new Agent({
    connect: guardedConnector(options),
    connections: options.connections ?? CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MAX_MS,
    headersTimeout: SILENCE_LIMIT_MS,
    bodyTimeout: SILENCE_LIMIT_MS,
  });
}

function guardedConnector(options: DispatcherOptions): buildConnector.connector {
  const { clock, dial = dialFirst, trust, connectLimitMs = CONNECT_LIMIT_MS } = options;
  const upgrade = buildConnector({ timeout: 0, allowH2: false, ...(trust && { secureContext: trust }) });

  return (request, done) => {
    let raw: Socket | undefined;
    let open = true;
    const settle = (result: Socket | ConnectFailure) => {
      if (!open) return;
      open = false;
      timer.cancel();
      if (!(result instanceof ConnectFailure)) return done(null, result);
      raw?.destroy();
      done(result, null);
    };
    const timer = setAwakeTimer(clock, connectLimitMs, () => {
      settle(new ConnectFailure('timeout', `no connection within ${connectLimitMs} ms`));
    });

    const run = async () => {
      const target = await lookUp(request, options);
      if (!open) return;
      raw = dial(target.addresses, target.port);
      await connected(raw);
      recheck(raw, target, options.policy);
      settle(request.protocol === 'https:' ? await secured(raw, request, upgrade) : raw);
    };
    run().catch((thrown: unknown) => settle(asFailure(thrown)));
  };
}

interface Target {
  hostname: string;
  port: number;
  addresses: readonly string[];
}

/** Does steps one to three: from the URL to addresses that may be dialled. */
async function lookUp(request: buildConnector.Options, options: DispatcherOptions): Promise<Target> {
  const checked = checkTarget(`${request.protocol}//${request.host}/`, options.policy);
  if ('refused' in checked) {
    const problem = checked.refused === 'private_address' ? 'private_address' : 'bad_url';
    throw new ConnectFailure(problem, `refused: ${checked.refused}`);
  }
  const { hostname } = checked.url;
  const port = portOf(checked.url);
  const addresses = await addressesOf(hostname, port, options);
  if (addresses.length === 0) throw new ConnectFailure('dns', `${hostname} has no address`);
  const inner = addresses.find((address) => !mayDial(options.policy, hostname, port, address));
  if (inner !== undefined) throw new ConnectFailure('private_address', `${hostname} leads to ${inner}`);
  return { hostname, port, addresses };
}

async function addressesOf(hostname: string, port: number, options: DispatcherOptions): Promise<readonly string[]> {
  const literal = bareHost(hostname);
  if (readAddress(literal) !== undefined) return [literal];
  try {
    return await (options.resolve ?? systemResolve)(hostname, allowsName(options.policy, hostname, port));
  } catch (thrown) {
    throw new ConnectFailure('dns', messageOf(thrown), thrown);
  }
}

/** Does step four. The look-up hook returns the judged addresses; the name is never resolved again. */
const dialFirst: Dial = (addresses, port) =>
  connect({
    host: 'judged.invalid',
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    lookup: (_name, _options, answer) => {
      answer(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    },
  });

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    // The listener stays attached: a socket that fails between two owners must not end the process.
    socket.on('error', (error) => reject(new ConnectFailure('connect', messageOf(error), error)));
    socket.once('close', () => reject(new ConnectFailure('connect', 'closed while connecting')));
    socket.once('connect', resolve);
  });
}

/** Does step five; a socket without a known peer is refused too. */
function recheck(socket: Socket, target: Target, policy: TargetPolicy): void {
  const reached = socket.remoteAddress ?? '';
  if (mayDial(policy, target.hostname, target.port, reached)) return;
  throw new ConnectFailure('private_address', `${target.hostname} was reached at ${reached || 'an unknown address'}`);
}

function secured(raw: Socket, request: buildConnector.Options, upgrade: buildConnector.connector): Promise<Socket> {
  return new Promise((resolve, reject) => {
    raw.once('close', () => reject(new ConnectFailure('tls', 'closed during the TLS handshake')));
    upgrade({ ...request, httpSocket: raw }, (error, socket) => {
      if (socket) resolve(socket);
      else reject(new ConnectFailure('tls', messageOf(error), error));
    });
  });
}

function asFailure(thrown: unknown): ConnectFailure {
  return thrown instanceof ConnectFailure ? thrown : new ConnectFailure('connect', messageOf(thrown), thrown);
}
