import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Work of the system that a promise waits for, beside sockets. */
const SYSTEM_WORK =
  /^(?:FSReq|ScryptJob|HashJob|RandomBytes|GetAddrInfo|WriteWrap|ShutdownWrap|Zlib|DNSCHANNEL|Worker)/;
/** Where an HTTP request ends. */
const ENDS = ['undici:request:trailers', 'undici:request:error'] as const;

/** What is under way over real connections. */
export interface RealTraffic {
  /** True while a request waits for its answer, a mail session is open, or the system works for this process. */
  isBusy(): boolean;
  /** What it is, for those who wait in vain. */
  says(): string;
  stop(): void;
}

/**
 * Watches every HTTP request of this process until its answer is read, and every connection to mail servers until it is
 * closed. Connections that HTTP keeps for later do not count.
 * @param mailPorts of this machine
 */
export function watchTraffic(mailPorts: readonly number[]): RealTraffic {
  const requests = new Set<unknown>();
  const sessions = new Set<Socket>();
  const begins = (message: unknown) => void requests.add(requestIn(message));
  const ends = (message: unknown) => void requests.delete(requestIn(message));
  const connects = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sessions.add(socket);
    socket.once('connect', () => {
      if (!mailPorts.includes(socket.remotePort ?? 0)) sessions.delete(socket);
    });
    socket.once('close', () => sessions.delete(socket));
  };
  subscribe('undici:request:create', begins);
  subscribe('net.client.socket', connects);
  for (const name of ENDS) subscribe(name, ends);
  const systemWork = () => process.getActiveResourcesInfo().filter((name) => SYSTEM_WORK.test(name));
  return {
    isBusy: () => requests.size > 0 || sessions.size > 0 || systemWork().length > 0,
    says: () => `${requests.size} requests, ${sessions.size} mail sessions, ${systemWork().join(' ')}`,
    stop() {
      unsubscribe('undici:request:create', begins);
      unsubscribe('net.client.socket', connects);
      for (const name of ENDS) unsubscribe(name, ends);
    },
  };
}

/**
 * Gives every HTTP answer of this process the date of the world, by which a client tells whether its clock is right.
 * @returns what ends it
 */
export function dateAnswers(now: () => number): () => void {
  const original = ServerResponse.prototype.writeHead;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: unknown[]) {
    this.setHeader('date', new Date(now()).toUTCString());
    return Reflect.apply(original, this, given) as ServerResponse;
  } as typeof original;
  return () => void (ServerResponse.prototype.writeHead = original);
}

function requestIn(message: unknown): unknown {
  return (message as { request: unknown }).request;
}
