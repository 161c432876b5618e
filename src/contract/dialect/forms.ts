import { readInstant, withOffset } from '../../kernel/dates.ts';

/** Turns a value into another one; what it does not know it gives back as it is. */
export type Convert = (value: unknown) => unknown;

interface Form {
  readonly toTheirs: Convert;
  readonly fromTheirs: Convert;
}

const numberOf: Convert = (value) =>
  typeof value === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
const textOf: Convert = (value) => (typeof value === 'number' ? String(value) : value);
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/;

/** Ways of writing one value. */
export const forms = {
  /** An id that is text with us. */
  number: { toTheirs: numberOf, fromTheirs: textOf },
  /** An id that is a number with us. */
  text: { toTheirs: textOf, fromTheirs: numberOf },
  /** A moment by the operator’s clock, without an offset. */
  local_time: {
    toTheirs: (value) => (typeof value === 'string' ? value.replace(LOCAL, '$1 $2|').split('|', 1)[0] : value),
    fromTheirs: (value) => (typeof value === 'string' ? value.replace(LOCAL, '$1T$2') : value),
  },
  /** A moment with the offset of no zone. */
  utc: {
    toTheirs: (value) => {
      const instant = typeof value === 'string' ? readInstant(value, 'UTC') : undefined;
      return instant === undefined ? value : withOffset(instant, 'UTC');
    },
    fromTheirs: (value) => value,
  },
} as const satisfies Record<string, Form>;
export type FormName = keyof typeof forms;
