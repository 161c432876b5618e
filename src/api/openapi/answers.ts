import { errorCodes } from '../../contract/errors.ts';
import { exampleAnswer, exampleFailure } from '../../contract/examples/answer.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Json } from '../jsonSchema.ts';

/** The headers about a limit that stopped the request, with error_code 429. */
export const LIMIT_HEADERS = {
  'Retry-After': { description: 'Seconds until a request has room again.', schema: { type: 'integer' } },
  'X-RateLimit-Scope': {
    description: 'Which limit it was; of several the one that resets last.',
    schema: { type: 'string', enum: ['user', 'endpoint', 'token', 'endpoint_error'] },
  },
  'X-RateLimit-Window': { description: 'Its window, such as 1m.', schema: { type: 'string' } },
  'X-RateLimit-Reason': { description: 'The same in words.', schema: { type: 'string' } },
};

/** Returns references to {@link LIMIT_HEADERS}. */
export function limitHeaders(): Json {
  return Object.fromEntries(Object.keys(LIMIT_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the schema of the envelope of a failure. */
export function failureSchema(): Json {
  return {
    description: 'The envelope of a failure: `error_code` says which, and there is no `data`.',
    type: 'object',
    required: ['request_id', 'error_code', 'error_msg'],
    properties: {
      request_id: { type: 'string' },
      error_code: { type: 'integer', enum: Object.keys(errorCodes).map(Number) },
      error_msg: { type: 'string', description: 'For people; never to be parsed.' },
    },
  };
}

interface Shown {
  summary: string;
  value: unknown;
}

/** A success and a failure of an operation, as they are answered. */
export type Examples = Record<'success' | 'failure', Shown>;

/** Returns both examples of an operation's answer. */
export function answerExamples(operation: Operation): Examples {
  const failure = exampleFailure(operation);
  return {
    success: { summary: 'A success', value: exampleAnswer(operation) },
    failure: { summary: `A failure: ${errorCodes[failure.error_code].name}`, value: failure },
  };
}

/** The one answer that is no envelope: a request that no route has seen. */
export const NOT_SERVED = {
  description:
    'The request was refused unread: it came over plain HTTP from another machine, or for a name in `Host` that is not ' +
    'the service’s. What is forbidden to a token is answered with HTTP status 200 and `error_code` 403.',
  content: {
    'text/plain': { schema: { type: 'string' }, example: 'Plain HTTP is not served here. Use https.\n' },
  },
};
