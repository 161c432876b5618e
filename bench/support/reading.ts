import { alternate, median, sendLoad, verdict } from './measure.ts';
import { cpuMs } from './processes.ts';
import { startBare } from './startBare.ts';

const ROUNDS = 5;
const SECONDS = 1;
const WARM_UP_SECONDS = 0.5;
const CONNECTIONS = 20;
/** Above this share of a core the loader could have slowed what it measures. */
const MOST_LOADER_CPU = 0.34;

/** A read to measure against its floor. */
export interface Read {
  what: string;
  path: string;
  goal: number;
  /** What is posted, for a read that is a POST. */
  body?: object;
  /** The list inside each item of the answer. */
  days?: string;
}

/** Where it is read. */
export interface Source {
  url: string;
  token: string;
  /** The process that serves it. */
  pid: number;
}

/**
 * Measures the CPU that a read costs the process that serves it, against a bare fastify in another process that joins
 * the same bytes from SQLite rows; in alternation.
 * @returns the line of the outcome
 */
export async function measureRead(source: Source, { what, path, goal, body, days }: Read): Promise<string> {
  const headers = {
    'service-access-token': source.token,
    ...(body && { 'content-type': 'application/json' }),
  };
  const method = body ? 'POST' : 'GET';
  const sent = body && JSON.stringify(body);
  const answer = await fetch(source.url + path, { method, headers, ...(sent !== undefined && { body: sent }) });
  const text = await answer.text();
  if (!/"error_code":200\b/.test(text)) throw new Error(`${path}: ${text.slice(0, 300)}`);
  const floor = await startBare({ kind: 'read', body: text, days });
  const perSecond: Record<string, number[]> = {};
  let loader = 0;
  const cost = async (url: string, pid: number) => {
    const before = cpuMs(pid);
    const { answered, failed, loaderCpu, ...run } = await sendLoad({
      url,
      method,
      headers,
      bodies: [],
      ...(sent !== undefined && { body: sent }),
      connections: CONNECTIONS,
      seconds: SECONDS,
      warmUpSeconds: WARM_UP_SECONDS,
    });
    if (failed > 0) throw new Error(`${failed} requests failed`);
    (perSecond[url] ??= []).push(run.perSecond);
    loader = Math.max(loader, loaderCpu);
    // In µs; its reciprocal is what is compared, so that more is better as everywhere.
    return 1_000_000 / ((1_000 * (cpuMs(pid) - before)) / answered);
  };
  const ours = source.url + path;
  const result = await alternate(
    ROUNDS,
    () => cost(floor.url, floor.pid),
    () => cost(ours, source.pid),
  ).finally(() => floor.stop());
  const micros = (value: number) => `${(1_000_000 / value).toFixed(0)} µs`;
  const rate = (url: string) => `${median(perSecond[url] ?? []).toFixed(0)}/s`;
  return [
    verdict(`P4 ${what}`, goal, result, 'a CPU second'),
    `CPU ${micros(result.ours)}, floor ${micros(result.floor)}`,
    `${(text.length / 1_000).toFixed(1)} kB; ${rate(ours)}, floor ${rate(floor.url)}`,
    ...(loader > MOST_LOADER_CPU ? [`the loader took ${loader.toFixed(2)} of a core`] : []),
  ].join('; ');
}
