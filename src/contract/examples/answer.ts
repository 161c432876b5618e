import type { z } from 'zod';
import { errorCodes, SUCCESS } from '../errors.ts';
import { type EventKind, events } from '../events.ts';
import { nothing } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { partsOf } from '../schemaParts.ts';
import { addSecondSpellings } from '../spell.ts';
import type { ErrorCode } from '../../kernel/errors.ts';
import { conversationExamples } from './conversations.ts';
import { listingExamples } from './listings.ts';
import { officeExamples } from './office.ts';
import { propertyExamples } from './properties.ts';
import { reservationExamples } from './reservations.ts';
import { VALUES } from './values.ts';

type Fields = Readonly<Record<string, unknown>>;

const REQUEST_ID = '01M7Y17A8R2V0N5K3D9QW6TXEH';
const EVENT = { event_id: '01M7Y17A9C4F6H8J0K2M4N6P8R', timestamp: '2027-03-01T08:30:00.000Z' };

const examples = new Map(
  [propertyExamples, reservationExamples, conversationExamples, listingExamples, officeExamples]
    .flat()
    .map(({ part, value }) => [part, value]),
);

/** Returns what the operation answers when it succeeds: the request's own values, and those of the contract's examples. */
export function exampleAnswer({ data: schema, example = {} }: Operation): Fields {
  const head = { request_id: REQUEST_ID, error_code: SUCCESS.code, error_msg: SUCCESS.text };
  if (schema === nothing) return head;
  const data = valueOf(schema, 'data', example);
  addSecondSpellings(schema)(data);
  return { ...head, data };
}

interface ExampleFailure {
  readonly request_id: string;
  readonly error_code: ErrorCode;
  readonly error_msg: string;
}

/** Returns what the operation answers when it fails in the way that is most its own. */
export function exampleFailure({ errors }: Pick<Operation, 'errors'>): ExampleFailure {
  const code = TELLING.find((one) => errors.includes(one)) ?? 422;
  return { request_id: REQUEST_ID, error_code: code, error_msg: errorCodes[code].text };
}

/** Codes that say something of the operation, the most telling first. */
const TELLING: readonly ErrorCode[] = [409, 404, 403, 400];

/** Returns the body of a delivery. */
export function exampleEvent(kind: EventKind): Fields {
  const { event_id, timestamp } = EVENT;
  return { event: kind, event_id, ...objectOf(events[kind].fields.shape, {}), timestamp };
}

/**
 * Returns a value of a part: its example, or one made of the values of its fields.
 * @param known values of the request, which an answer repeats
 */
function valueOf(schema: z.ZodType, name: string, known: Fields): unknown {
  const whole = examples.get(schema);
  if (whole !== undefined) return structuredClone(whole);
  const { innerType, element, shape } = partsOf(schema);
  if (innerType) return valueOf(innerType, name, known);
  if (element) return [valueOf(element, name, known)];
  if (shape) return objectOf(shape, known);
  const value = VALUES[name]?.find((one) => takes(schema, one));
  if (value === undefined) throw new Error(`there is no example of ${name}; add one to src/contract/examples`);
  return value;
}

function objectOf(shape: Readonly<Record<string, z.ZodType>>, known: Fields): Fields {
  // Some answers have the fields of a part twice: in it, and beside it.
  const parts = Object.values(shape).map((field) => examples.get(field));
  const beside: Fields = Object.assign({}, structuredClone(known), ...parts);
  const fields: [name: string, value: unknown][] = [];
  for (const [name, field] of Object.entries(shape)) {
    if (name in beside && takes(field, beside[name])) fields.push([name, beside[name]]);
    else if (!field.safeParse(undefined).success || name in VALUES) fields.push([name, valueOf(field, name, beside)]);
  }
  return Object.fromEntries(fields);
}

function takes(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value).success;
}
