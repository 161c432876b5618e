import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, hiddenFields } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import { DECIDABLE, type Plan } from '../inbox/drafts.ts';
import type { Visit } from '../visit.ts';
import type { LogEntry, RuleRow } from './answers.ts';
import { ENTRIES, type RulesQuestion, steps } from './question.ts';

/** Returns what a rule is at: its state, unless something keeps it from acting. */
export function stateMark(visit: Visit, { state, broken, paused_at }: RuleRow): Html {
  const words = visit.texts.rules;
  if (broken) return html`<span class="bad">${words.broken}</span>`;
  if (paused_at !== null) return html`<span class="bad">${words.paused}</span>`;
  const isLive = state === 'live';
  return html`<span class="${isLive ? 'good' : 'dim'}">${words.states[state] ?? state}</span>`;
}

/** Shows what rules will do next, and what waits for a person. */
export function plansPart(visit: Visit, plans: readonly Plan[], isOfOne: boolean): Html {
  const { texts, format } = visit;
  const words = texts.rules;
  if (plans.length === 0)
    return section('planned', words.planned, '', html`<p class="dim">${words.nothingPlanned}</p>`);
  const columns = [words.when, ...(isOfOne ? [] : [words.rule]), words.what, words.about, words.because, words.decide];
  const rows = plans.map((plan) => [
    format.moment(plan.next_at),
    ...(isOfOne ? [] : [ruleLink(visit, plan.rule)]),
    html`${plan.action}${
      plan.text === null
        ? ''
        : html`<details>
            <summary>${words.text}</summary>
            <p class="words">${plan.text}</p>
          </details>`
    }`,
    aboutLink(visit, plan),
    html`<span class="${DECIDABLE.has(plan.state) ? 'chip waiting' : 'dim'}"
        >${words.planStates[plan.state] ?? plan.state}</span
      >
      <span class="dim">${plan.because ?? ''}</span>`,
    decisions(visit, plan),
  ]);
  return section('planned', words.planned, '', table(columns, rows));
}

export function ruleLink(visit: Visit, rule: string): Html {
  return html`<a href="${visit.address('rules', { rule })}">${rule}</a>`;
}

function aboutLink(visit: Visit, { conversation_id, stay_code }: Plan): Html {
  const words = visit.texts.rules;
  const stay =
    stay_code === null
      ? html``
      : html`<a href="${visit.address('stay', { code: stay_code })}"><code>${stay_code}</code></a>`;
  if (conversation_id === null) return stay;
  return html`${stay} <a href="${visit.address('inbox', { conversation: conversation_id })}">${words.conversation}</a>`;
}

/** The buttons of one plan. A refusal about another plan is not said here. */
function decisions(visit: Visit, { plan_id, state, text, action }: Plan): Html {
  if (!visit.may('rules.change') || state === 'sending' || state === 'verifying') return html``;
  const words = visit.texts.rules;
  const own = visit.refused?.fields['plan'] === plan_id ? visit : { ...visit, refused: undefined };
  const hidden = { plan: plan_id, state };
  const canApprove = action !== 'ai_draft' || text !== null;
  return html`<div class="actions">
    ${
      canApprove
        ? askFirst(own, {
            page: 'rules',
            action: 'approve',
            open: words.doNow,
            consequence: words.doNowHint(action),
            confirm: words.doNowReally,
            hidden,
          })
        : ''
    }
    ${askFirst(own, {
      page: 'rules',
      action: 'cancel',
      open: words.cancel,
      consequence: words.cancelHint(action),
      confirm: words.cancelReally,
      hidden,
    })}
  </div>`;
}

/** Says why a plan could not be decided, if it is not listed any more. */
export function lateRefusal({ refused, texts }: Visit, plans: readonly Plan[]): Html {
  if (!refused || !['approve', 'cancel'].includes(refused.action)) return html``;
  if (plans.some(({ plan_id }) => plan_id === refused.fields['plan'])) return html``;
  return html`<p class="bad" role="alert">${texts.form.wrong(refused.problem)}</p>`;
}

/** Shows what was done and what was not, each with its reason. */
export function logPart(visit: Visit, { rule, what, entries }: RulesQuestion, log: readonly LogEntry[]): Html {
  const { texts, format, connection, connections } = visit;
  const words = texts.rules;
  const filter = html`<form class="choice" method="get" action="/console/rules">
    ${rule === undefined ? '' : html`<input type="hidden" name="rule" value="${rule}" />`}
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    <select name="what" aria-label="${words.step}">
      <option value="">${words.everything}</option>
      ${steps.map(
        (step) =>
          html`<option value="${step}" ${step === what ? 'selected' : ''}>${words.steps[step] ?? step}</option>`,
      )}
    </select>
    <button type="submit" class="second">${texts.frame.show}</button>
  </form>`;
  const isOfOne = rule !== undefined;
  const columns = [words.when, ...(isOfOne ? [] : [words.rule]), words.step, words.about, words.because];
  const rows = log.map((entry) => [
    format.moment(entry.at),
    ...(isOfOne ? [] : [entry.rule === '*' ? words.allOfThem : ruleLink(visit, entry.rule)]),
    words.steps[entry.what] ?? entry.what,
    entry.stay_code === null
      ? ''
      : html`<a href="${visit.address('stay', { code: entry.stay_code })}"><code>${entry.stay_code}</code></a>`,
    entry.because ?? '',
  ]);
  const more = visit.address('rules', { rule, what, entries: entries + ENTRIES });
  return section(
    'log',
    words.log,
    '',
    html`${filter} ${rows.length === 0 ? html`<p class="dim">${words.nothingLogged}</p>` : table(columns, rows)}
    ${log.length >= entries ? html`<p><a href="${more}">${words.moreEntries}</a></p>` : ''}`,
  );
}

/** The buttons that pause and resume one rule. */
export function pauseForm(visit: Visit, { rule, paused_at }: RuleRow): Html {
  if (!visit.may('rules.change')) return html``;
  const words = visit.texts.rules;
  const isPaused = paused_at !== null;
  return actionForm(
    visit,
    { page: 'rules', action: isPaused ? 'resume' : 'pause' },
    html`${hiddenFields({ rule })}<button type="submit" class="second">
        ${isPaused ? words.resume : words.pause}
      </button>`,
  );
}
