import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

/** What a load run is told, as JSON on standard input. */
export interface LoadOrder {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** Bodies to send in turn, each once. */
  bodies: string[];
  /** One to send with each request instead. */
  body?: string;
  /** Further headers of each body, in the same order. */
  bodyHeaders?: Record<string, string>[];
  connections: number;
  seconds: number;
  /** Left out of the figures: connections open and code warms up. */
  warmUpSeconds: number;
  /** A new connection for each request. */
  fresh?: boolean;
  /** Begins with the first body again after the last; for a server that does not mind. */
  repeats?: boolean;
}

export interface LoadResult {
  requests: number;
  /** With those of the warm-up. */
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
  /** Share of a core that the loader itself used. */
  loaderCpu: number;
}

const CRLF = '\r\n';
const HEAD_END = Buffer.from('\r\n\r\n');
const OK = Buffer.from('HTTP/1.1 200');

/**
 * Sends requests over raw sockets, each connection one after the other. It reads no more of an answer than its status
 * and its length, so that it takes little of the machine that it measures.
 */
async function load(given: LoadOrder): Promise<LoadResult> {
  const next = requestsOf(given);
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const measureFrom = begun + given.warmUpSeconds * 1_000;
  const end = measureFrom + given.seconds * 1_000;
  const latencies: number[] = [];
  let failed = 0;
  let answered = 0;
  const take = (startedAt: number, isOk: boolean) => {
    answered += 1;
    if (!isOk) failed += 1;
    if (startedAt >= measureFrom) latencies.push(performance.now() - startedAt);
  };
  await Promise.all(
    Array.from({ length: given.connections }, async () => {
      while (performance.now() < end) {
        const more = await converse(given, { next, take, end });
        if (!more) return;
      }
    }),
  );
  const ended = performance.now();
  if (latencies.length === 0) throw new Error('every request was sent before the measurement began');
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    requests: latencies.length,
    answered,
    perSecond: latencies.length / ((Math.min(ended, end) - measureFrom) / 1_000),
    p50: at(0.5),
    p99: at(0.99),
    failed,
    loaderCpu: (user + system) / 1_000 / (ended - begun),
  };
}

interface Talk {
  /** The next request; undefined when each was sent. */
  next(): Buffer | undefined;
  take(startedAt: number, isOk: boolean): void;
  end: number;
}

/** Speaks over one connection until it ends. @returns false when nothing is left to send */
function converse({ url, fresh = false }: LoadOrder, { next, take, end }: Talk): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let startedAt = performance.now();
    const answers = new Answers((isOk) => {
      take(startedAt, isOk);
      if (fresh || performance.now() >= end) return finish(true);
      send();
    });
    const finish = (more: boolean) => {
      socket.destroy();
      resolve(more);
    };
    const send = () => {
      const request = next();
      if (!request) return finish(false);
      if (!fresh) startedAt = performance.now();
      socket.write(request);
    };
    socket.once('connect', send);
    socket.on('data', (chunk) => answers.read(chunk));
    socket.once('error', reject);
    socket.once('close', () => resolve(true));
  });
}

/** Finds the ends of answers in what comes from a socket. */
class Answers {
  readonly #onAnswer: (isOk: boolean) => void;
  #head: Buffer = Buffer.alloc(0);
  /** Bytes of the body that are still to come; undefined before its head is whole. */
  #left: number | undefined;
  #isOk = false;

  constructor(onAnswer: (isOk: boolean) => void) {
    this.#onAnswer = onAnswer;
  }

  read(chunk: Buffer): void {
    if (this.#left === undefined) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const at = this.#head.indexOf(HEAD_END);
      if (at < 0) return;
      const [, length] = /content-length: (\d+)/i.exec(this.#head.toString('latin1', 0, at)) ?? [];
      if (length === undefined) throw new Error('an answer without a length');
      this.#isOk = this.#head.subarray(0, OK.length).equals(OK);
      this.#left = Number(length) - (this.#head.length - at - HEAD_END.length);
      this.#head = Buffer.alloc(0);
    } else this.#left -= chunk.length;
    if (this.#left > 0) return;
    this.#left = undefined;
    this.#onAnswer(this.#isOk);
  }
}

/** Returns each request as the bytes that are sent. */
function requestsOf(given: LoadOrder): () => Buffer | undefined {
  const { url, method, headers, bodies, body, bodyHeaders = [], fresh = false, repeats = false } = given;
  const { host, pathname, search } = new URL(url);
  const first = `${method} ${pathname}${search} HTTP/1.1${CRLF}host: ${host}${CRLF}`;
  const whole = (text: string | undefined, more: Record<string, string> = {}): Buffer => {
    const fields = { ...headers, ...more, ...(fresh && { connection: 'close' }) };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}${CRLF}`);
    const length = text === undefined ? '' : `content-length: ${Buffer.byteLength(text)}${CRLF}`;
    return Buffer.from(`${first}${lines.join('')}${length}${CRLF}${text ?? ''}`);
  };
  if (bodies.length === 0) {
    const same = whole(body);
    return () => same;
  }
  const all = bodies.map((text, index) => whole(text, bodyHeaders[index]));
  let index = 0;
  return () => all[repeats ? index++ % all.length : index++];
}

// Last, since classes are not known before their place.
const order = JSON.parse(readFileSync(0, 'utf8')) as LoadOrder;
process.stdout.write(JSON.stringify(await load(order)));
