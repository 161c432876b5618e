import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { lineOf, yamlValue } from '../../../kernel/yamlValue.ts';
import { type PlanMistake, planOfWritten, ratePlan, type WrittenPlan } from './plan.ts';

/** A mistake with its place in the file. */
export interface FileMistake {
  readonly line: number;
  /** A path such as `seasons.0.price`; empty for the whole file. */
  readonly path: string;
  readonly problem: string;
}

/** A plan of a file, and the properties that the file names. */
export interface ReadPlan {
  readonly written: WrittenPlan;
  readonly properties: readonly number[] | undefined;
}

/** The file of a plan: the plan's own fields, and the properties that it is for. */
const planFile = ratePlan.extend({ properties: z.array(z.int().min(1)).min(1).max(1_000).optional() });

/** Reads the text of a plan, in YAML or JSON. @returns all of its mistakes instead, by line */
export function readPlanFile(text: string): ReadPlan | { mistakes: readonly FileMistake[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const { value, faults } = yamlValue(document, lines);
  if (faults) return { mistakes: faults.map((fault) => ({ ...fault, path: '' })) };
  const read = readPlanValue(value);
  if ('written' in read) return read;
  const mistakes = read.mistakes.map(({ path, problem }) => ({
    line: lineOf(document, lines, path),
    path: path.join('.'),
    problem,
  }));
  return { mistakes: mistakes.toSorted((a, b) => a.line - b.line) };
}

/** Reads a plan, with or without `properties`, that came as a value. @returns all of its mistakes instead */
export function readPlanValue(value: unknown): ReadPlan | { mistakes: readonly PlanMistake[] } {
  const result = planFile.safeParse(value);
  if (!result.success) return { mistakes: misspeltFirst(result.error.issues).flatMap((issue) => mistakesOf(issue)) };
  const { properties, ...written } = result.data;
  const read = planOfWritten(written);
  return 'mistakes' in read ? read : { written, properties };
}

/** Says mistakes for people, one a line. */
export function mistakesText(mistakes: readonly (PlanMistake | FileMistake)[]): string {
  return mistakes
    .map((mistake) => {
      const path = typeof mistake.path === 'string' ? mistake.path : mistake.path.join('.');
      const line = 'line' in mistake ? `line ${mistake.line}: ` : '';
      return `${line}${path === '' ? '' : `${path} `}${mistake.problem}`;
    })
    .join('\n');
}

/** Sorts misspelt keys first: such a key may also be reported as missing, and the misspelling says more. */
function misspeltFirst(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const rank = ({ code }: z.core.$ZodIssue) => (code === 'unrecognized_keys' ? 0 : 1);
  return issues.toSorted((a, b) => rank(a) - rank(b));
}

function mistakesOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): PlanMistake[] {
  const path = [...above, ...issue.path].map((step) => (typeof step === 'number' ? step : String(step)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], problem: `is no known key${knownAt(path)}` }));
  }
  if (issue.code === 'invalid_union') {
    // The form that the text got furthest into is the one that was meant.
    const [nearest] = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a));
    if (nearest && depthOf(nearest) > 0) return nearest.flatMap((inner) => mistakesOf(inner, path));
    return [{ path, problem: 'must be flexible, moderate, strict, or steps' }];
  }
  return [{ path, problem: problemOf(issue) }];
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((one) => one.path.length + (one.code === 'unrecognized_keys' ? 1 : 0)));
}

const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Invalid (?:input|option): /, ''],
  [/^.*received undefined$/, 'is required'],
  [/^Too big: expected string to have <=(\d+) characters/, 'must have at most $1 characters'],
  [/^Too small: expected string to have >=1 characters/, 'must not be empty'],
  [/^Too big: expected array to have <=(\d+) items/, 'must have at most $1 entries'],
  [/^Too small: expected array to have >=(\d+) items/, 'must have at least $1 entry'],
  [/^Too big: expected \w+ to be <=(\S+)/, 'must be at most $1'],
  [/^Too small: expected \w+ to be >=(\S+)/, 'must be at least $1'],
  [/^expected (\w+), received (\w+)/, 'must be of type $1, not $2'],
  [/^expected one of /, 'must be one of '],
];

function problemOf({ message }: z.core.$ZodIssue): string {
  return WORDINGS.reduce((text, [form, plain]) => text.replace(form, plain), message);
}

/** Names the keys that are known at a place of a plan. */
function knownAt(path: readonly (string | number)[]): string {
  let schema: unknown = planFile;
  for (const step of path) {
    const inner = innermost(schema);
    if (typeof step === 'number') schema = inner instanceof z.ZodArray ? inner.element : undefined;
    else schema = inner instanceof z.ZodObject ? inner.shape[step] : undefined;
  }
  const found = innermost(schema);
  return found instanceof z.ZodObject ? `; there are ${Object.keys(found.shape).join(', ')}` : '';
}

function innermost(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return innermost(schema.unwrap());
  }
  return schema;
}
