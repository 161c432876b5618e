import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

const ANSWER_MS = 5_000;

export interface Asked {
  status: number;
  /** What time it is there, in milliseconds since the epoch; undefined when it does not say. */
  now: number | undefined;
}

/** One request without any secret; undefined when nobody answers in time. */
export function ask(url: string, method: 'GET' | 'POST'): Promise<Asked | undefined> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? secure : plain;
    const body = method === 'POST' ? '{}' : '';
    const outgoing = send(
      url,
      { method, timeout: ANSWER_MS, headers: { 'content-type': 'application/json', 'content-length': body.length } },
      (response) => {
        response.resume();
        const now = Date.parse(response.headers.date ?? '');
        resolve({ status: response.statusCode ?? 0, now: Number.isNaN(now) ? undefined : now });
      },
    );
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(undefined));
    outgoing.end(body);
  });
}
