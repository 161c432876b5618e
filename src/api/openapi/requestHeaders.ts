import { IDEMPOTENCY_KEY, type Operation, takesIdempotencyKey } from '../../contract/operation.ts';
import type { Json } from '../jsonSchema.ts';

/** The headers by which a caller asks for more of this service, each an addition to the description. */
export const REQUEST_HEADERS = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'An addition of this service: handling=strict refuses fields that the operation does not read, with 422 and their names.',
    'x-addition': true,
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'An addition of this service: the same request with the same key is carried out once within 24 hours, and answered ' +
      'as the first time.',
    'x-addition': true,
    schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
    example: '3f0c2a52-8d3e-4c61-9d0b-7a1c5e9f2b44',
  },
};

/** Returns references to those of {@link REQUEST_HEADERS} that an operation heeds. */
export function requestHeaders(operation: Operation): Json[] {
  const names = ['Prefer', ...(takesIdempotencyKey(operation) ? ['IdempotencyKey'] : [])];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
