import { openPool } from './transport.ts';

const ANSWER_MS = 5_000;

interface Asked {
  status: number;
  /** The time of the other side in milliseconds since the epoch; undefined if the answer does not state it. */
  now: number | undefined;
}

/**
 * Sends one request without any secret to a configured address; undefined without an answer in time. A POST carries an
 * empty object.
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
    // Every failure means that there is no answer.
    return undefined;
  } finally {
    await pool.destroy();
  }
}
