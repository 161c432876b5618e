import { type Html, html } from '../../kernel/markup/html.ts';
import { addDays } from '../../kernel/dates.ts';
import { section, table } from '../frame/table.ts';
import type { Plan } from '../inbox/drafts.ts';
import type { Visit } from '../visit.ts';
import type { DryRun, LogEntry, RuleRow } from './answers.ts';
import { lateRefusal, logPart, pauseForm, plansPart, stateMark } from './parts.ts';
import type { RulesQuestion } from './question.ts';

const DAYS_BACK = 30;

interface OneRule {
  rule: RuleRow;
  plans: readonly Plan[];
  log: readonly LogEntry[];
  /** Left out: none was asked for. */
  dryRun: DryRun | undefined;
}

/** Shows one rule: what it is at, what it would have done, what it will do, and what it did. */
export function ruleView(visit: Visit, asked: RulesQuestion, { rule, plans, log, dryRun }: OneRule): Html {
  const { texts, format } = visit;
  const words = texts.rules;
  const { version, armed_at, paused_at, paused_because } = rule;
  return html`<header class="head">
      <h1>${rule.rule}</h1>
      <p><a href="${visit.address('rules')}">${words.allRules}</a></p>
    </header>
    ${rule.about === null ? '' : html`<p>${rule.about}</p>`} ${lateRefusal(visit, plans)}
    <dl class="facts">
      <dt>${words.state}</dt>
      <dd>
        ${stateMark(visit, rule)}
        ${paused_at === null ? '' : words.since(format.moment(paused_at), paused_because ?? '')}
      </dd>
      <dt>${words.trigger}</dt>
      <dd>${rule.when ?? ''}</dd>
      <dt>${words.what}</dt>
      <dd>${rule.action ?? ''}</dd>
      <dt>${words.version}</dt>
      <dd>${words.armedSince(version, format.moment(armed_at))}</dd>
      <dt>${words.file}</dt>
      <dd><a href="${visit.address('rules', { file: rule.file })}">${words.editFile(rule.file)}</a></dd>
    </dl>
    ${pauseForm(visit, rule)} ${dryPart(visit, asked, rule, dryRun)} ${plansPart(visit, plans, true)}
    ${logPart(visit, asked, log)}`;
}

function dryPart(visit: Visit, { since }: RulesQuestion, { rule, broken }: RuleRow, run: DryRun | undefined): Html {
  const { texts, today, connection, connections } = visit;
  const words = texts.rules;
  if (broken) return html``;
  const form = html`<form class="form" method="get" action="/console/rules">
    <input type="hidden" name="rule" value="${rule}" />
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <div class="field">
      <label for="since">${words.sinceDay}</label>
      <input
        id="since"
        name="since"
        type="date"
        value="${since ?? addDays(today, -DAYS_BACK)}"
        max="${today}"
        required
      />
    </div>
    <button type="submit" class="second">${words.tryIt}</button>
  </form>`;
  return section('dry', words.dryRun, words.dryHint, html`${form} ${run ? dryRows(visit, run) : ''}`);
}

function dryRows(visit: Visit, { rows, acts, skips, untried }: DryRun): Html {
  const { texts, format } = visit;
  const words = texts.rules;
  const [first] = untried;
  if (first) return html`<p>${words.untried(first.because)}</p>`;
  const cells = rows.map(({ at, about, would, because, text }) => [
    at === null ? '' : format.moment(at),
    about,
    html`<span class="${would === 'act' ? 'good' : 'dim'}">${would === 'act' ? words.wouldAct : words.wouldNot}</span>`,
    because,
    text === null ? '' : html`<span class="words">${text}</span>`,
  ]);
  return html`<p>${words.dryCounts(acts, skips)}</p>
    ${cells.length === 0 ? '' : table([words.when, words.about, words.would, words.because, words.text], cells)}
    ${acts + skips > rows.length ? html`<p class="dim">${words.dryFirst(rows.length)}</p>` : ''}`;
}
