import { z } from 'zod';

/**
 * Returns the schema of a mapping entry that can be written in several ways, each with a key of its own (`column`,
 * `value`, `sum`, …). Unlike a union of schemas, it reports a mistake inside for the way that the user meant.
 */
export function oneWay<Ways extends Record<string, z.ZodType>>(ways: Ways) {
  const names = Object.keys(ways);
  return z.unknown().transform((given, context): z.output<Ways[keyof Ways]> => {
    const meant = isRecord(given) ? names.filter((name) => name in given) : [];
    const way = ways[meant[0] ?? ''];
    if (!way || meant.length > 1) {
      const message = `${given === undefined ? 'missing: ' : ''}give exactly one of: ${names.join(', ')}`;
      context.addIssue({ code: 'custom', input: given, message });
      return z.NEVER;
    }
    const result = way.safeParse(given);
    if (result.success) return result.data as z.output<Ways[keyof Ways]>;
    for (const [path, message] of result.error.issues.flatMap(faultsOf)) {
      context.addIssue({ code: 'custom', input: given, path, message });
    }
    return z.NEVER;
  });
}

/** Returns path and text of an issue for the reader of a mapping, one for each unknown key. */
export function faultsOf(issue: z.core.$ZodIssue): [path: PropertyKey[], message: string][] {
  if (issue.code !== 'unrecognized_keys') return [[issue.path, issue.message]];
  return issue.keys.map((key) => [[...issue.path, key], 'unknown key']);
}

/** Fixed text of a mapping. YAML numbers and yes/no are taken as they are written. */
export const scalar = z
  .union([z.string(), z.number(), z.boolean()], { error: 'give a text or a number' })
  .transform((value) => String(value));

/** The name of a column of the user's file. */
export const columnName = z.string({ error: 'give the name of a column, in quotes' }).min(1);

/** A column, or its names in exports of other years and languages. The first name that the file has counts. */
export const columnChoice = z.union([columnName, z.array(columnName).min(1)], {
  error: 'give the name of a column, in quotes, or a list of such names',
});
export type ColumnChoice = z.output<typeof columnChoice>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
