import { openPool } from './transport.ts';

const ANSWER_MS = 5_000;

export interface Asked {
  status: number;
  /** What time it is there, in milliseconds since the epoch; undefined when it does not say. */
  now: number | undefined;
}

/**
 * One request without any secret, to an address of the configuration; undefined when nobody answers in time. A POST
 * carries an empty object.
 */
export async function ask(address: string, method: 'GET' | 'POST'): Promise<Asked | undefined> {
  const pool = openPool(address);
  try {
    const { pathname, search } = new URL(address);
    const { statusCode, headers, body } = await pool.request({
      path: pathname + search,
      method,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      ...(method === 'POST' && { body: '{}', headers: { 'content-type': 'application/json' } }),
    });
    await body.dump();
    const now = Date.parse(String(headers['date']));
    return { status: statusCode, now: Number.isNaN(now) ? undefined : now };
  } catch {
    // Whatever went wrong, there is no answer.
    return undefined;
  } finally {
    await pool.destroy();
  }
}
