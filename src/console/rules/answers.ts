import { z } from 'zod';
import type { Visit } from '../visit.ts';

const rule = z.object({
  rule: z.string(),
  state: z.string(),
  version: z.number(),
  file: z.string(),
  about: z.string().nullable(),
  when: z.string().nullable(),
  action: z.string().nullable(),
  broken: z.boolean(),
  armed_at: z.string(),
  paused_at: z.string().nullable(),
  paused_because: z.string().nullable(),
  plans: z.record(z.string(), z.number()),
});
const mistake = z.object({ line: z.number(), rule: z.string().nullable(), path: z.string(), problem: z.string() });
const mistakeOfFile = mistake.extend({ file: z.string() });
const file = z.object({ name: z.string(), text: z.string(), version: z.string(), mistakes: z.array(mistake) });
const recipe = z.object({
  name: z.string(),
  about: z.string().nullable(),
  action: z.string(),
  text: z.string(),
});
const entry = z.object({
  entry_id: z.string(),
  at: z.string(),
  rule: z.string(),
  stay_code: z.string().nullable(),
  what: z.string(),
  because: z.string().nullable(),
});
const dryRow = z.object({
  rule: z.string(),
  about: z.string(),
  at: z.string().nullable(),
  would: z.enum(['act', 'not act']),
  because: z.string(),
  text: z.string().nullable(),
});
const dryRun = z.object({
  rows: z.array(dryRow),
  acts: z.number(),
  skips: z.number(),
  untried: z.array(z.object({ rule: z.string(), because: z.string() })),
});

/** A rule with its state and the number of its plans by their states. */
export type RuleRow = z.output<typeof rule>;
export type Mistake = z.output<typeof mistake>;
export type FileRow = z.output<typeof file>;
export type Recipe = z.output<typeof recipe>;
export type LogEntry = z.output<typeof entry>;
export type DryRun = z.output<typeof dryRun>;

const MOST_DRY_ROWS = 100;

/** Asks for all rules, and the mistakes in their files. */
export async function readRuleList(visit: Visit): Promise<{
  rules: RuleRow[];
  mistakes: z.output<typeof mistakeOfFile>[];
}> {
  const answer = await visit.portal('GET /portal/automations');
  return z.object({ rules: z.array(rule), mistakes: z.array(mistakeOfFile) }).parse(answer);
}

export async function readFiles(visit: Visit): Promise<FileRow[]> {
  return z.object({ files: z.array(file) }).parse(await visit.portal('GET /portal/automations/files')).files;
}

export async function readRecipes(visit: Visit): Promise<Recipe[]> {
  return z.object({ recipes: z.array(recipe) }).parse(await visit.portal('GET /portal/automations/recipes')).recipes;
}

/** Asks for the mistakes that a text would have as this file. */
export async function checkFile(visit: Visit, name: string, text: string): Promise<Mistake[]> {
  const answer = await visit.portal('POST /portal/automations/files/:file/check', { file: name, text });
  return z.object({ mistakes: z.array(mistake) }).parse(answer).mistakes;
}

/** Asks for what was done and what was not, newest first. */
export async function readLog(
  visit: Visit,
  { rule: name, what, limit }: { rule?: string | undefined; what?: string | undefined; limit: number },
): Promise<LogEntry[]> {
  const given = { ...(name !== undefined && { rule: name }), ...(what !== undefined && { what }), limit };
  return z.object({ entries: z.array(entry) }).parse(await visit.portal('GET /portal/automations/log', given)).entries;
}

/** Asks for what a rule would have done since a day; nothing is done. */
export async function readDryRun(visit: Visit, name: string, since: string): Promise<DryRun> {
  const given = { rule: name, since, limit: MOST_DRY_ROWS };
  return dryRun.parse(await visit.portal('GET /portal/automations/test', given));
}
