import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import type { z } from 'zod';
import { sha256Hex } from '../../kernel/signature.ts';
import { lineOf, yamlValue } from '../../kernel/yamlValue.ts';
import type { Action } from './actions.ts';
import { groupNames } from './conditions.ts';
import { type Rule, ruleSchema } from './rule.ts';
import { templateMistakes } from './templateMistakes.ts';

/** A file of rules. */
export interface RuleFile {
  name: string;
  text: string;
}

/** A mistake in a file of rules. */
export interface Mistake {
  file: string;
  line: number;
  /** The rule with the mistake, if known. */
  rule: string | null;
  /** A path such as `do.message.text`; empty for the whole file. */
  path: string;
  problem: string;
}

export interface ReadRules {
  rules: Rule[];
  mistakes: Mistake[];
}

/** Parts of the configuration that rules may use. */
interface Known {
  /** Names of hooks. */
  hooks: readonly string[];
  secretFields: readonly string[];
  /** True if a language model is configured. */
  ai: boolean;
}

/** Returns the parts of the configuration that rules may use. */
export function knownBy({
  hooks,
  secretFields,
  ai,
}: {
  hooks: Readonly<Record<string, unknown>>;
  secretFields: readonly string[];
  /** The model for drafts; null for none. */
  ai: object | null;
}): Known {
  return { hooks: Object.keys(hooks), secretFields, ai: ai !== null };
}

/**
 * Reads files of rules: one YAML document per rule, separated by `---`. Leaves out a rule with a mistake, and the
 * second rule of a name.
 */
export function readRules(files: readonly RuleFile[], known: Known): ReadRules {
  const rules: Rule[] = [];
  const mistakes: Mistake[] = [];
  for (const file of files) {
    const lines = new LineCounter();
    for (const document of documentsOf(file.text, lines)) {
      const read = readOne(file.name, document, lines);
      if (read === undefined) continue;
      if ('mistakes' in read) {
        mistakes.push(...read.mistakes);
        continue;
      }
      const problems = [
        ...templateMistakes(read.rule, known.secretFields),
        ...unknownHook(read.rule, known.hooks),
        ...withoutModel(read.rule, known.ai),
      ];
      const twin = rules.find((one) => one.name === read.rule.name);
      if (twin) problems.push({ path: ['name'], problem: `is taken by a rule of ${twin.file}, line ${twin.line}` });
      for (const { path, problem } of problems) {
        mistakes.push(mistakeAt({ file: file.name, document, lines, rule: read.rule.name }, path, problem));
      }
      if (problems.length === 0) rules.push(read.rule);
    }
  }
  return { rules, mistakes };
}

function documentsOf(text: string, lineCounter: LineCounter): Document.Parsed[] {
  const documents = parseAllDocuments(text, { lineCounter, uniqueKeys: true, prettyErrors: false });
  return 'empty' in documents ? [] : documents;
}

interface Place {
  file: string;
  document: Document;
  lines: LineCounter;
  rule: string | null;
}

function readOne(
  file: string,
  document: Document.Parsed,
  lines: LineCounter,
): { rule: Rule } | { mistakes: Mistake[] } | undefined {
  const { value: source, faults } = yamlValue(document, lines);
  const [broken] = faults ?? [];
  if (broken) return { mistakes: [{ file, rule: null, path: '', ...broken }] };
  if (document.contents === null || source === null) return undefined;
  const rule = nameIn(source);
  const place = { file, document, lines, rule };
  const result = ruleSchema.safeParse(source);
  if (!result.success) return { mistakes: misspeltFirst(result.error.issues).flatMap((one) => mistakesOf(place, one)) };
  const line = lines.linePos(document.contents.range[0]).line;
  const { do: actions, ...fields } = result.data;
  const fingerprint = sha256Hex(JSON.stringify(source));
  return { rule: { ...fields, do: actions[0], actions, part: null, file, line, source, fingerprint } };
}

/** Sorts misspelt keys first. A misspelt key is also reported as missing, and the misspelling says more. */
function misspeltFirst(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const rank = ({ code }: z.core.$ZodIssue) => (code === 'unrecognized_keys' ? 0 : 1);
  return issues.toSorted((a, b) => rank(a) - rank(b));
}

function nameIn(source: unknown): string | null {
  const name = typeof source === 'object' && source !== null && 'name' in source ? source.name : undefined;
  return typeof name === 'string' ? name : null;
}

function mistakesOf(place: Place, issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => mistakeAt(place, [...issue.path, key], `is no known key${allowedAt(issue.path)}`));
  }
  if (issue.code === 'invalid_union') {
    const nearest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0]?.[0];
    if (nearest) return mistakesOf(place, { ...nearest, path: [...issue.path, ...nearest.path] } as z.core.$ZodIssue);
  }
  const isMissing = issue.message.endsWith('received undefined');
  return [mistakeAt(place, issue.path, isMissing ? 'is required' : issue.message)];
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((one) => one.path.length));
}

function allowedAt(path: readonly PropertyKey[]): string {
  const [section, part] = path;
  const shape = ruleSchema.shape;
  if (section === undefined) return `; there are ${Object.keys(shape).join(', ')}`;
  if (section !== 'if') return '';
  if (part === undefined) return `; there are ${Object.keys(shape.if.unwrap().shape).join(', ')}`;
  return part === 'any' || part === 'none' ? `; there are ${groupNames.join(', ')}` : '';
}

function mistakeAt({ file, document, lines, rule }: Place, path: readonly PropertyKey[], problem: string): Mistake {
  return { file, rule, line: lineOf(document, lines, path), path: path.map(String).join('.'), problem };
}

interface Problem {
  path: (string | number)[];
  problem: string;
}

/** Returns the problems of single actions, each with its place. */
function ofActions({ actions }: Rule, problemOf: (action: Action) => Problem | undefined): Problem[] {
  return actions.flatMap((action, at) => {
    const found = problemOf(action);
    const under = actions.length === 1 ? ['do', action.name] : ['do', at, action.name];
    return found ? [{ ...found, path: [...under, ...found.path] }] : [];
  });
}

function unknownHook(rule: Rule, hooks: readonly string[]): Problem[] {
  const there = hooks.length > 0 ? `there are ${hooks.join(', ')}` : 'there are none';
  const problem = `is no name of automations.hooks in the configuration; ${there}`;
  return ofActions(rule, (action) =>
    action.name === 'http' && !hooks.includes(action.with.to) ? { path: ['to'], problem } : undefined,
  );
}

/** Returns the problem of a rule that needs a model without having one. A rule in draft may wait for a model. */
function withoutModel(rule: Rule, hasModel: boolean): Problem[] {
  if (rule.state === 'draft' || hasModel) return [];
  const problem = 'needs a language model: set ai.url and ai.model in the configuration';
  return ofActions(rule, ({ name }) => (name === 'ai_draft' ? { path: [], problem } : undefined));
}
