import type { z } from 'zod';

/** What a schema is made of, as far as whoever scans through schemas of the contract asks. */
export interface SchemaParts {
  readonly type: string;
  readonly format?: string;
  /** Of an object: its fields, and whatever else it takes. */
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  /** Of a list. */
  readonly element?: z.ZodType;
  /** Of what may be missing, null, or has a default. */
  readonly innerType?: z.ZodType;
  /** Of a choice. */
  readonly options?: readonly z.ZodType[];
  /** Of a map. */
  readonly valueType?: z.ZodType;
  /** Of literals. */
  readonly values?: readonly unknown[];
  readonly checks?: readonly unknown[];
}

/** zod tells of a schema only what kind it is of; this is the one place that looks into it. */
export function partsOf(schema: z.ZodType): SchemaParts {
  return (schema as unknown as { def: SchemaParts }).def;
}
