import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';

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
}

export interface LoadResult {
  requests: number;
  /** With those of the warm-up. */
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

const order = JSON.parse(readFileSync(0, 'utf8')) as LoadOrder;
process.stdout.write(JSON.stringify(await load(order)));

async function load(given: LoadOrder): Promise<LoadResult> {
  const dispatcher = new Agent({ connections: given.connections, pipelining: given.fresh ? 0 : 1 });
  const latencies: number[] = [];
  let failed = 0;
  let next = 0;
  let answered = 0;
  const measureFrom = performance.now() + given.warmUpSeconds * 1_000;
  const end = measureFrom + given.seconds * 1_000;
  const worker = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      const index = (next += 1) - 1;
      const body = given.body ?? given.bodies[index];
      if (given.bodies.length > 0 && index >= given.bodies.length) return;
      const headers = { ...given.headers, ...given.bodyHeaders?.[index] };
      const answer = await request(given.url, { method: given.method, headers, body: body ?? null, dispatcher });
      await answer.body.dump({ limit: 10_000_000, signal: new AbortController().signal });
      if (answer.statusCode !== 200) failed += 1;
      answered += 1;
      const now = performance.now();
      if (started >= measureFrom) latencies.push(now - started);
    }
  };
  await Promise.all(Array.from({ length: given.connections }, worker));
  const seconds = (Math.min(performance.now(), end) - measureFrom) / 1_000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  await dispatcher.close();
  const requests = latencies.length;
  return { requests, answered, perSecond: requests / seconds, p50: at(0.5), p99: at(0.99), failed };
}
