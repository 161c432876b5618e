import type { z } from 'zod';

/** A part of the contract, and one value of it as an answer has it. */
export interface Example {
  readonly part: z.ZodType;
  readonly value: unknown;
}

/** Checks the type of an example; its second spellings are added where it is shown. */
export function example<Part extends z.ZodType>(part: Part, value: z.output<Part>): Example {
  return { part, value };
}
