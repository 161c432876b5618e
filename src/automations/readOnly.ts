import type { Automating } from './context.ts';
import { PlanService } from './planService.ts';
import { knownBy, readRules } from './rules/readRules.ts';
import { openRuleBook } from './rules/ruleBook.ts';
import { storedRules } from './rules/syncRules.ts';
import type { AutomationOptions } from './start.ts';
import type { DryQuestion, DryRun } from './tries/dryRun.ts';
import { trusting } from './timekeeper.ts';

/**
 * The service in a process that carries nothing out. It answers from the database and the local files. Decisions go
 * into the database, where the acting process finds them within seconds.
 */
export class ReadOnlyPlanService extends PlanService {
  readonly #context: Automating;
  readonly #options: AutomationOptions;

  constructor(options: AutomationOptions) {
    const { signal } = new AbortController();
    const context: Automating = { ...options, book: openRuleBook(), timekeeper: trusting, signal };
    super(context, () => {});
    this.#context = context;
    this.#options = options;
  }

  override async list(): Promise<{ rules: object[]; mistakes: readonly object[] }> {
    await readBook(this.#context, this.#options);
    return super.list();
  }

  override async test(question: DryQuestion): Promise<DryRun> {
    await readBook(this.#context, this.#options);
    return super.test(question);
  }
}

/**
 * Reads the rules of the files, with the stored state of each. Leaves out a rule that the acting process does not know
 * yet.
 */
async function readBook(context: Automating, { readFiles, settings }: AutomationOptions): Promise<void> {
  const { rules, mistakes } = readRules(readFiles(), knownBy(settings));
  const rows = await storedRules(context.store.db, context.connection);
  const loaded = rules.flatMap((rule) => {
    const row = rows.find((one) => one.rule === rule.name && one.removed_at === null);
    return row ? [{ ...rule, version: row.version, armed_seq: row.armed_seq, armed_at: row.armed_at }] : [];
  });
  context.book.replace(loaded, mistakes);
}
