import { readInstant, withOffset } from '../../kernel/dates.ts';

/** Converts a value. A value of unknown form is returned unchanged. */
export type Convert = (value: unknown) => unknown;

interface Form {
  readonly toTheirs: Convert;
  readonly fromTheirs: Convert;
}

const numberOf: Convert = (value) =>
  typeof value === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(value) ? Number(value) : value;
const textOf: Convert = (value) => (typeof value === 'number' ? String(value) : value);
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/;

/** Forms in which a dialect can write one value. */
export const forms = {
  /** An id that is text in the contract. */
  number: { toTheirs: numberOf, fromTheirs: textOf },
  /** An id that is a number in the contract. */
  text: { toTheirs: textOf, fromTheirs: numberOf },
  /** A moment on the operator’s clock, without an offset. */
  local_time: {
    toTheirs: (value) => (typeof value === 'string' ? value.replace(LOCAL, '$1 $2|').split('|', 1)[0] : value),
    fromTheirs: (value) => (typeof value === 'string' ? value.replace(LOCAL, '$1T$2') : value),
  },
  /** A moment in UTC. */
  utc: {
    toTheirs: (value) => {
      const instant = typeof value === 'string' ? readInstant(value, 'UTC') : undefined;
      return instant === undefined ? value : withOffset(instant, 'UTC');
    },
    fromTheirs: (value) => value,
  },
} as const satisfies Record<string, Form>;
/** Name of a form, as profiles use it. */
export type FormName = keyof typeof forms;
