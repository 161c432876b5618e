import { type Instant, instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { AutomationRulesTable } from '../tables.ts';
import type { MirrorDb, MirrorTrx } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import { openStates } from '../plans/states.ts';
import { writeLog } from '../plans/table.ts';
import type { ReadRules } from './readRules.ts';
import type { Rule } from './rule.ts';
import type { LoadedRule } from './ruleBook.ts';

/**
 * Stores the rules of the files. A new or changed rule is armed now, so earlier reservations, messages and due times do
 * not concern it. The plans of a removed rule end; a rule with a mistake waits.
 * @returns the rules that must be planned again
 */
export async function syncRules(context: Automating, { rules, mistakes }: ReadRules): Promise<LoadedRule[]> {
  const { store, connection, clock } = context;
  const now = instantOf(clock.now());
  const { loaded, changed } = await store.transaction(async (trx) => {
    const known = new Map((await storedRules(trx, connection)).map((row) => [row.rule, row]));
    const seq = await headOf(trx, connection);
    const loaded: LoadedRule[] = [];
    const changed: LoadedRule[] = [];
    for (const rule of rules) {
      const row = known.get(rule.name);
      const isSame = row !== undefined && row.fingerprint === rule.fingerprint && row.removed_at === null;
      const next = isSame ? row : rowOf(rule, { connection, version: (row?.version ?? 0) + 1, now, seq });
      if (!isSame) await writeRule(trx, context, rule, next, row?.version);
      const { version, armed_seq, armed_at } = next;
      loaded.push({ ...rule, version, armed_seq, armed_at });
      if (!isSame) changed.push({ ...rule, version, armed_seq, armed_at });
    }
    const waiting = new Set(mistakes.flatMap((one) => one.rule ?? []));
    const brokenFiles = new Set(mistakes.filter((one) => one.rule === null).map((one) => one.file));
    for (const row of known.values()) {
      const isThere = rules.some(({ name }) => name === row.rule) || waiting.has(row.rule) || brokenFiles.has(row.file);
      if (!isThere && row.removed_at === null) await remove(trx, context, row, now);
    }
    return { loaded, changed };
  });
  context.book.replace(loaded, mistakes);
  return changed;
}

export async function storedRules(db: MirrorDb, connection: string): Promise<AutomationRulesTable[]> {
  return db.selectFrom('automation_rules').selectAll().where('connection', '=', connection).orderBy('rule').execute();
}

/** Returns the rules with their stored watermarks, because another process may have armed them. */
export async function armedRules(
  db: MirrorDb,
  { connection, book }: Pick<Automating, 'connection' | 'book'>,
): Promise<LoadedRule[]> {
  const rows = new Map((await storedRules(db, connection)).map((row) => [row.rule, row]));
  return book.rules.map((rule) => {
    const { armed_at, armed_seq } = rows.get(rule.name) ?? rule;
    return { ...rule, armed_at, armed_seq };
  });
}

async function headOf(db: MirrorDb, connection: string): Promise<number> {
  const row = await db.selectFrom('feed_heads').select('seq').where('connection', '=', connection).executeTakeFirst();
  return row?.seq ?? 0;
}

function rowOf(
  rule: Rule,
  { connection, version, now, seq }: { connection: string; version: number; now: Instant; seq: number },
): AutomationRulesTable {
  return {
    connection,
    rule: rule.name,
    version,
    state: rule.state,
    file: rule.file,
    fingerprint: rule.fingerprint,
    armed_seq: seq,
    armed_at: now,
    paused_at: null,
    paused_because: null,
    removed_at: null,
    changed_at: now,
  };
}

async function writeRule(
  trx: MirrorTrx,
  context: Automating,
  rule: Rule,
  row: AutomationRulesTable,
  before: number | undefined,
): Promise<void> {
  const { connection, version, changed_at: since } = { ...row };
  // A person or a guard paused the rule; a new text does not resume it.
  const { paused_at: _at, paused_because: _why, ...rest } = row;
  const update = Object.keys(rest).filter((name) => name !== 'connection' && name !== 'rule') as (keyof typeof rest)[];
  await insertMany(trx, 'automation_rules', [row], { columns: ['connection', 'rule'], update });
  const source = JSON.stringify(rule.source);
  const columns = ['connection', 'rule', 'version'] as const;
  await insertMany(trx, 'automation_versions', [{ connection, rule: rule.name, version, source, since }], { columns });
  const what = before === undefined ? 'new rule' : 'new version';
  await writeLog(trx, context, [{ rule: rule.name, what, detail: `version ${version}, ${rule.state}` }]);
}

async function remove(trx: MirrorTrx, context: Automating, row: AutomationRulesTable, now: Instant): Promise<void> {
  const { connection, rule } = row;
  await trx
    .updateTable('automation_rules')
    .set({ removed_at: now, changed_at: now })
    .where('connection', '=', connection)
    .where('rule', '=', rule)
    .execute();
  await trx
    .updateTable('automation_plans')
    .set({ state: 'cancelled', reason: 'rule_removed', changed_at: now })
    .where('connection', '=', connection)
    .where('rule', '=', rule)
    .where((eb) => inList(eb.ref('state'), openStates))
    .execute();
  await writeLog(trx, context, [{ rule, what: 'rule removed', reason: 'rule_removed' }]);
}

/** Moves all watermarks to now, so earlier reservations, messages and due times concern no rule. */
export async function syncWatermarks(trx: MirrorTrx, { connection, clock }: Automating): Promise<void> {
  const armed_at = instantOf(clock.now());
  const armed_seq = await headOf(trx, connection);
  await trx.updateTable('automation_rules').set({ armed_at, armed_seq }).where('connection', '=', connection).execute();
}
