import type { InjectOptions } from 'fastify';
import type { Dispatcher } from 'undici';
import { type Clock, sleep } from '../../src/kernel/clock.ts';
import type { Dice } from '../../src/kernel/seeded.ts';
import type { SimCore } from './core.ts';
import { type CrashPlan, never, passes } from './crash.ts';
import type { Trace } from './trace.ts';
import type { ProcessClock } from './virtualTime.ts';

/** How the way between daemon and core fails; shares of a hundred. */
export interface NetworkFaults {
  /** Milliseconds of each way, at the most. */
  latencyMs: number;
  /** Of a hundred answers: so many take up to thirty times as long. */
  slow: number;
  /** No connection. */
  refused: number;
  /** The answer breaks off. */
  cut: number;
  /** A page of a proxy, in HTML. */
  proxyPage: number;
  /** HTTP 200 with an error code in the envelope. */
  oddCode: number;
  /** 429 for a few seconds, for everything. */
  limited: number;
  /** No answer comes while the sender waits; the request is lost, or heard so late that nobody waits any more. */
  stalled: number;
}

export const FAIR_CONDITIONS: NetworkFaults = {
  latencyMs: 20,
  slow: 0,
  refused: 0,
  cut: 0,
  proxyPage: 0,
  oddCode: 0,
  limited: 0,
  stalled: 0,
};

/** A request that reached the core, with what was answered and what was heard. */
export interface Served {
  method: string;
  path: string;
  /** Lines of the trace: when it was sent, and when it was answered. */
  sentSeq: number;
  servedSeq: number;
  /** The envelope's code; undefined when the answer did not arrive whole. */
  code: number | undefined;
  data: any;
}

interface NetworkOptions {
  core: Pick<SimCore, 'request'>;
  clock: ProcessClock;
  /** Of the line itself, on which something is under way also when its sender is no more. */
  wire: Clock;
  dice: Dice;
  trace: Trace;
  faults: () => NetworkFaults;
  plan: CrashPlan;
  /** A request leaves the daemon; its line of the trace. */
  onAsking?: ((seq: number, method: string, path: string) => void) | undefined;
  onServed(served: Served): void;
}

const SLOW_FACTOR = 30;
const LIMITED_S = 7;
/** How long the real way waits for the first byte, and how late what is not waited for any more can be heard. */
const PATIENCE_MS = 15_000;
const LATEST_MS = 60_000;

/** The daemon's way to the core: the real door without a socket, over a line with delays and faults. */
export function network(options: NetworkOptions): Dispatcher & { rudeness: readonly string[] } {
  const { core, clock, wire, dice, trace, faults, plan } = options;
  const rudeness: string[] = [];
  let heldUntil = 0;

  async function request(asked: Dispatcher.RequestOptions): Promise<unknown> {
    const { method, path, signal } = asked;
    if (!passes(plan, 'before request') || plan.isOver) return never();
    const sentSeq = trace.add('request', `${clock.monotonic()} ${method} ${path}`);
    options.onAsking?.(sentSeq, method, path);
    if (clock.monotonic() < heldUntil) rudeness.push(`${method} ${path} before Retry-After had ended`);
    const given = faults();
    await travel(given, signal as AbortSignal);
    if (dice.percent(given.refused)) {
      trace.add('fault refused');
      throw new Error('connect ECONNREFUSED');
    }
    if (dice.percent(given.stalled)) return stall(asked);
    const spoilt = spoil(given);
    if (spoilt) {
      await travel(given, signal as AbortSignal);
      // From the moment it is heard.
      if ('retry-after' in spoilt.headers) heldUntil = clock.monotonic() + LIMITED_S * 1_000;
      return answered(spoilt);
    }
    const response = await core.request(wireRequest(asked));
    const servedAt = new Date(wire.now()).toUTCString();
    if (!response) {
      trace.add('core gone');
      throw new Error('other side closed');
    }
    const text = response.body;
    const servedSeq = trace.add('served', text.length.toString());
    const isCut = dice.percent(given.cut);
    const envelope = JSON.parse(text) as { error_code: number; data: unknown };
    await travel(given, signal as AbortSignal);
    const served = { method, path, sentSeq, servedSeq, data: envelope.data };
    options.onServed({ ...served, code: isCut ? undefined : envelope.error_code });
    if (isCut) trace.add('fault cut');
    if (!passes(plan, 'after answer')) return never();
    // The framework knows real time alone.
    const headersOut = { ...(response.headers as Record<string, string>), date: servedAt };
    if (isCut) return { statusCode: 200, headers: headersOut, body: broken(text, dice.between(0, text.length - 1)) };
    return answered({ statusCode: response.statusCode, headers: headersOut, body: text });
  }

  async function stall(asked: Dispatcher.RequestOptions): Promise<never> {
    const isHeard = dice.percent(50);
    trace.add('fault stalled', isHeard ? 'and heard' : '');
    if (isHeard) wire.setTimer(dice.between(0, LATEST_MS), () => void core.request(wireRequest(asked)));
    await sleep(clock, PATIENCE_MS, asked.signal as AbortSignal);
    if (!clock.isAlive) return never();
    throw new Error('Headers Timeout Error');
  }

  /** One way; the sender may lose patience on it. */
  async function travel({ latencyMs, slow }: NetworkFaults, signal: AbortSignal): Promise<void> {
    const longest = dice.percent(slow) ? latencyMs * SLOW_FACTOR : latencyMs;
    await sleep(clock, dice.between(1, Math.max(1, longest)), signal);
    if (!clock.isAlive) return never();
    if (signal.aborted) throw new Error('aborted');
  }

  function spoil(given: NetworkFaults): WireAnswer | undefined {
    const json = { 'content-type': 'application/json' };
    const envelope = (error_code: number) =>
      JSON.stringify({ request_id: 'sim', error_code, error_msg: 'spoilt', data: null });
    if (dice.percent(given.proxyPage)) {
      trace.add('fault proxy page');
      return { statusCode: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };
    }
    if (dice.percent(given.oddCode)) {
      trace.add('fault odd code');
      return { statusCode: 200, headers: json, body: envelope(dice.pick([500, 503, 599, 777])) };
    }
    if (dice.percent(given.limited)) {
      trace.add('fault limited');
      const limits = { 'retry-after': String(LIMITED_S), 'x-ratelimit-scope': 'account' };
      return { statusCode: 200, headers: { ...json, ...limits }, body: envelope(429) };
    }
    return undefined;
  }

  // The client uses nothing else of a dispatcher.
  return { request, rudeness } as unknown as Dispatcher & { rudeness: readonly string[] };
}

function wireRequest({ method, path, headers, body }: Dispatcher.RequestOptions): InjectOptions {
  return {
    method: method as 'GET',
    url: path,
    headers: headers as Record<string, string>,
    ...(typeof body === 'string' && { payload: body }),
  };
}

interface WireAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

function answered(answer: WireAnswer) {
  return { ...answer, body: [Buffer.from(answer.body)] };
}

async function* broken(text: string, at: number): AsyncGenerator<Buffer> {
  yield Buffer.from(text).subarray(0, at);
  throw new Error('other side closed');
}
