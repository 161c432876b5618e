import type { z } from 'zod';

/** The parts of a schema that code of this project inspects. */
interface SchemaParts {
  readonly type: string;
  readonly format?: string;
  /** Fields of an object, and the schema of further fields. */
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  /** Schema of a list's elements. */
  readonly element?: z.ZodType;
  /** Schema within one that is optional, nullable or has a default. */
  readonly innerType?: z.ZodType;
  /** Schemas of a union. */
  readonly options?: readonly z.ZodType[];
  /** Schema of a map's values. */
  readonly valueType?: z.ZodType;
  /** Values of a literal. */
  readonly values?: readonly unknown[];
  readonly checks?: readonly unknown[];
}

/** Returns the parts of a schema. zod's types reveal only its kind; this is the one place that looks inside. */
export function partsOf(schema: z.ZodType): SchemaParts {
  return (schema as unknown as { def: SchemaParts }).def;
}
