import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { type Chosen, withConnection } from './options.ts';
import { jsonText, table } from './output.ts';
import { type Portal, withPortal } from './portal.ts';

interface RuleRow {
  rule: string;
  version: number;
  state: string;
  action: string | null;
  paused_because: string | null;
  broken: boolean;
  armed_at: string;
  plans: Record<string, number>;
}

interface MistakeRow {
  file: string;
  line: number;
  rule: string | null;
  path: string;
  problem: string;
}

interface PlanRow {
  plan_id: string;
  rule: string;
  state: string;
  action: string;
  because: string;
  stay_code: string | null;
  conversation_id: string | null;
  next_at: string;
  text: string | null;
  sources: { knowledge_base_id: number; title: string }[] | null;
}

interface EntryRow {
  at: string;
  rule: string;
  what: string;
  plan_id: string | null;
  stay_code: string | null;
  because: string | null;
}

/** States of plans that a person decides on. */
const WAITS_FOR_PERSON = new Set(['awaiting_approval', 'unknown']);

/**
 * Adds `stayd automations`: rules, their plans, the kill switch, and the approval of plans.
 * @param argv the words of the command line
 */
export async function automationCommands(
  program: Command,
  context: CliContext,
  argv: readonly string[],
): Promise<void> {
  // Late, since what rules are made of takes longer to load than all commands together.
  const words = argv.includes('automations') ? (await import('../compose/mirror/ruleWords.ts')).ruleWords() : '';
  const automations = program
    .command('automations')
    .description('rules that act on changes of the mirror')
    .addHelpText('after', words);
  listCommand(automations, context);
  pendingCommand(automations, context);
  testCommand(automations, context);
  logCommand(automations, context);
  decidingCommands(automations, context);
  switchCommands(automations, context);
}

function listCommand(automations: Command, context: CliContext): void {
  withConnection(automations.command('list'))
    .description('list rules with their states, and mistakes with their lines; exit code 1 if there are mistakes')
    .option('--json', 'as JSON')
    .action(({ connection, json }: Chosen) =>
      withPortal(context, async (portal) => {
        const query = { connection };
        const answer = await portal.get<{ rules: RuleRow[]; mistakes: MistakeRow[] }>('/portal/automations', query);
        if (answer.mistakes.length > 0) context.exit(1);
        if (json) return context.out(jsonText(answer));
        if (answer.rules.length === 0 && answer.mistakes.length === 0) {
          return context.out('no rules yet: put a file into config/automations, see docs/automations.md');
        }
        const cells = answer.rules.map((row) => [row.rule, stateOf(row), row.version, row.action, plansOf(row)]);
        context.out(table(['rule', 'state', 'version', 'action', 'plans'], cells));
        for (const { file, line, path, problem } of answer.mistakes) {
          context.err(`${file}:${line}: ${path === '' ? '' : `${path}: `}${problem}`);
        }
      }),
    );
}

function stateOf({ state, broken, paused_because }: RuleRow): string {
  if (broken) return 'broken';
  return paused_because === null ? state : `paused (${paused_because})`;
}

function plansOf({ plans }: RuleRow): string {
  const counts = Object.entries(plans).map(([state, count]) => `${count} ${state}`);
  return counts.length > 0 ? counts.join(', ') : 'none';
}

function pendingCommand(automations: Command, context: CliContext): void {
  withConnection(automations.command('pending'))
    .description('list planned actions and those that wait for your approval')
    .option('--rule <name>', 'only this rule')
    .option('--limit <count>', 'how many', Number, 50)
    .option('--json', 'as JSON')
    .action(({ connection, json, rule, limit }: Chosen & { rule?: string; limit: number }) =>
      withPortal(context, async (portal) => {
        const query = { connection, rule, limit };
        const { plans } = await portal.get<{ plans: PlanRow[] }>('/portal/automations/pending', query);
        if (json) return context.out(jsonText(plans));
        const cells = plans.map((row) => [
          row.plan_id,
          row.next_at,
          row.rule,
          row.action,
          row.stay_code ?? row.conversation_id,
          row.state,
          row.because,
        ]);
        context.out(table(['plan', 'when', 'rule', 'action', 'about', 'state', 'because'], cells));
        for (const { plan_id, text, state, sources } of plans) {
          if (text === null || !WAITS_FOR_PERSON.has(state)) continue;
          context.out(`\n${plan_id}:\n${indented(text)}`);
          if (sources !== null) context.out(`  [by a language model, from ${sourcesText(sources)}]`);
        }
      }),
    );
}

function sourcesText(sources: readonly { knowledge_base_id: number; title: string }[]): string {
  return [...new Set(sources.map((one) => `${one.title} (${one.knowledge_base_id})`))].join(', ');
}

interface DryRow {
  rule: string;
  about: string;
  at: string | null;
  would: string;
  because: string;
  text: string | null;
}

interface DryAnswer {
  rows: DryRow[];
  acts: number;
  skips: number;
  untried: { rule: string; because: string }[];
}

interface Asked {
  since: string;
  limit: number;
  ask?: true;
}

function testCommand(automations: Command, context: CliContext): void {
  withConnection(automations.command('test'))
    .description('show what rules would have done since a day, with reasons; nothing is sent')
    .argument('[rule]', 'one rule (default: all, including drafts)')
    .requiredOption('--since <day>', 'from this day on, or a moment')
    .option('--limit <count>', 'how many lines', Number, 50)
    .option('--ask', 'let the language model write its drafts now; counts towards its budget')
    .option('--json', 'as JSON')
    .action((rule: string | undefined, { connection, json, since, limit, ask }: Chosen & Asked) =>
      withPortal(context, async (portal) => {
        const query = { connection, rule, since, limit };
        const run = ask
          ? await portal.send<DryAnswer>('POST', '/portal/automations/test', { ...query, ask })
          : await portal.get<DryAnswer>('/portal/automations/test', query);
        if (json) return context.out(jsonText(run));
        const cells = run.rows.map((row) => [row.at, row.rule, row.about, row.would, row.because]);
        context.out(table(['when', 'rule', 'about', 'would', 'because'], cells));
        for (const { about, text } of run.rows) if (text !== null) context.out(`\n${about}:\n${indented(text)}`);
        context.out(`\n${run.acts} would have been done, ${run.skips} not`);
        if (run.untried.length === 0) return;
        context.out('\nNot tried over the past; in state test, `./stayd automations log` says what these would do:');
        for (const one of run.untried) context.out(`  ${one.rule}: ${one.because}`);
      }),
    );
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function logCommand(automations: Command, context: CliContext): void {
  withConnection(automations.command('log'))
    .description('list what was done or not done, with reasons; newest first')
    .option('--rule <name>', 'only this rule')
    .option('--plan <plan_id>', 'only this plan')
    .option(
      '--what <word>',
      'planned, sent, skipped, awaiting_approval, waiting, cancelled, failed, unknown, paused, …',
    )
    .option('--limit <count>', 'how many', Number, 50)
    .option('--json', 'as JSON')
    .action(({ connection, json, ...asked }: Chosen & Record<'rule' | 'plan' | 'what', string> & { limit: number }) =>
      withPortal(context, async (portal) => {
        const query = { connection, ...asked };
        const { entries } = await portal.get<{ entries: EntryRow[] }>('/portal/automations/log', query);
        if (json) return context.out(jsonText(entries));
        const cells = entries.map((row) => [row.at, row.rule, row.what, row.stay_code, row.because, row.plan_id]);
        context.out(table(['at', 'rule', 'what', 'stay', 'because', 'plan'], cells));
      }),
    );
}

function decidingCommands(automations: Command, context: CliContext): void {
  withConnection(automations.command('approve'))
    .description('approve a plan and carry it out now')
    .argument('<plan_id>')
    .option('--text <words>', 'use this text instead of the draft')
    .action((planId: string, { connection, text }: Chosen & { text?: string }) =>
      withPortal(context, async (portal) => {
        await portal.send('POST', pathOf('plans', planId, 'approve'), { connection, text });
        context.out(`${planId} is done now; ./stayd automations log --plan ${planId} shows the result`);
      }),
    );
  withConnection(automations.command('cancel'))
    .description('cancel a plan for good; its rule continues')
    .argument('<plan_id>')
    .action((planId: string, { connection }: Chosen) =>
      withPortal(context, async (portal) => {
        await portal.send('POST', pathOf('plans', planId, 'cancel'), { connection });
        context.out(`${planId} is cancelled`);
      }),
    );
}

function pathOf(kind: 'plans' | 'rules', name: string, verb: string): string {
  return `/portal/automations/${kind}/${encodeURIComponent(name)}/${verb}`;
}

function switchCommands(automations: Command, context: CliContext): void {
  const add = (name: string, about: string, run: (portal: Portal, rule: string, body: object) => Promise<string>) =>
    withConnection(automations.command(name))
      .description(about)
      .argument('<rule>')
      .action((rule: string, { connection }: Chosen) =>
        withPortal(context, async (portal) => context.out(await run(portal, rule, { connection }))),
      );
  add('pause', 'let a rule do nothing until you resume it', async (portal, rule, body) => {
    await portal.send('POST', pathOf('rules', rule, 'pause'), body);
    return `${rule} is paused; ./stayd automations resume ${rule} lets it go on`;
  });
  add('resume', 'let a paused rule go on', async (portal, rule, body) => {
    await portal.send('POST', pathOf('rules', rule, 'resume'), body);
    return `${rule} goes on`;
  });
  withConnection(automations.command('disarm'))
    .description('stop all rules immediately; checked again before every action')
    .action(({ connection }: Chosen) =>
      withPortal(context, async (portal) => {
        await portal.send('POST', '/portal/automations/disarm', { connection });
        context.out('automations are disarmed; ./stayd automations arm lets them act again');
      }),
    );
  withConnection(automations.command('arm'))
    .description('let rules act again from now on; actions that were due meanwhile are not made up')
    .action(({ connection }: Chosen) =>
      withPortal(context, async (portal) => {
        const body = { connection };
        const answer = await portal.send<{ were_disarmed: boolean }>('POST', '/portal/automations/arm', body);
        context.out(answer.were_disarmed ? 'automations are armed' : 'automations were armed already');
      }),
    );
}
