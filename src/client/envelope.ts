import { successCodes } from '../contract/errors.ts';
import type { OperationId } from '../contract/index.ts';
import { apiFailure, transportFailure } from './callError.ts';
import type { Fields } from './fields.ts';
import { cutLongTexts, LONGEST_TEXT } from './longTexts.ts';

/** One HTTP answer, unparsed. */
export interface HttpAnswer {
  status: number;
  header(name: string): string | undefined;
  body: Buffer;
}

/**
 * Returns `data` of the envelope; throws CallError for everything but a success. Only the body's code decides, by the
 * success codes of the dialect. An HTTP status other than 200 means that something before v3 answered.
 */
export function readEnvelope(
  operation: OperationId,
  answer: HttpAnswer,
  isSuccess: ReadonlySet<number> = successCodes,
): unknown {
  if (answer.status !== 200) {
    throw transportFailure(operation, `HTTP status ${answer.status}, where v3 answers 200`);
  }
  const envelope = parse(operation, answer.body);
  const code = envelope['error_code'];
  if (typeof code !== 'number' || !Number.isInteger(code)) {
    throw transportFailure(operation, 'an answer without error_code');
  }
  if (isSuccess.has(code)) return envelope['data'];
  const text = typeof envelope['error_msg'] === 'string' ? envelope['error_msg'].slice(0, 200) : '';
  throw apiFailure(operation, code, text, {
    retryAfterMs: readRetryAfter(answer.header('retry-after')),
    scope: answer.header('x-ratelimit-scope'),
    windowSeconds: readWindow(answer.header('x-ratelimit-window')),
  });
}

function parse(operation: OperationId, body: Buffer): Fields {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw transportFailure(operation, 'an answer that is no JSON (cut off, or not from v3)', cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw transportFailure(operation, 'an answer that is no JSON object');
  }
  if (body.length > LONGEST_TEXT) cutLongTexts(value as Fields);
  return value as Fields;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Parses the length of a window: `5s`, `10m`, `24h`. */
function readWindow(text: string | undefined): number | undefined {
  const [, count, unit] = /^(\d{1,5})([smhd])$/.exec(text ?? '') ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (SECONDS[unit] ?? 1);
}

/** Parses Retry-After in whole seconds; v3 does not use the HTTP-date form. */
function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,7}$/.test(text)) return undefined;
  return Number(text) * 1_000;
}
