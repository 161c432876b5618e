import { ApiError } from '../../kernel/errors.ts';
import type { Html } from '../../kernel/markup/html.ts';
import { readPlans } from '../inbox/drafts.ts';
import { consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { rulesActions } from './actions.ts';
import { checkFile, readDryRun, readFiles, readLog, readRecipes, readRuleList } from './answers.ts';
import { fileView, NEW_FILE } from './fileView.ts';
import { type RulesQuestion, rulesQuestion } from './question.ts';
import { ruleView } from './ruleView.ts';
import { rulesView } from './view.ts';

/** Rules: what they do by themselves, what they did and why not, and their files. */
export const rulesPage = consolePage({
  path: 'rules',
  right: 'rules',
  title: (texts) => texts.rules.title,
  question: rulesQuestion,
  actions: rulesActions,
  async render(visit, asked) {
    if (asked.file !== undefined || asked.new !== undefined) return edited(visit, asked);
    const { rules, mistakes } = await readRuleList(visit);
    const { rule: name, what, entries, since } = asked;
    const plans = await readPlans(visit, { rule: name });
    const log = await readLog(visit, { rule: name, what, limit: entries });
    if (name === undefined) {
      const { automations } = await visit.services.status(visit.connection);
      const recipes = await readRecipes(visit);
      return rulesView(visit, asked, { rules, mistakes, plans, log, recipes, automations });
    }
    const rule = rules.find((one) => one.rule === name);
    if (!rule) throw new ApiError(404, 'There is no such rule.');
    const dryRun = since === undefined || rule.broken ? undefined : await readDryRun(visit, name, since);
    return ruleView(visit, asked, { rule, plans, log, dryRun });
  },
});

/** Shows a file in a form; one that was refused with its mistakes at their lines. */
async function edited(visit: Visit, { file: name }: RulesQuestion): Promise<Html> {
  const files = await readFiles(visit);
  const found = files.find((one) => one.name === name);
  if (name !== undefined && !found) throw new ApiError(404, 'There is no such file.');
  const { refused } = visit;
  const wasRefused = refused?.action === 'write';
  const text = wasRefused ? textOf(refused.fields['text']) : (found?.text ?? NEW_FILE);
  const known = name ?? textOf(refused?.fields['file']);
  const mistakes = wasRefused ? await mistakesIn(visit, known, text) : (found?.mistakes ?? []);
  return fileView(visit, { name, text, mistakes, version: found?.version });
}

/** A name that no file may have is the mistake then, and is said above the form. */
async function mistakesIn(visit: Visit, name: string, text: string) {
  try {
    return await checkFile(visit, name, text);
  } catch (error) {
    if (error instanceof ApiError && error.code < 500) return [];
    throw error;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : '';
}
