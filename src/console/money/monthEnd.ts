import { addDays, lastDayOfMonth } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Books } from './books.ts';
import type { MoneyContent } from './content.ts';
import { placesPart } from './places.ts';

const MONTHS = 12;

/** Shows the month-end as a checklist: what is not mapped, what stands in the way, the sums, and what can be done. */
export function monthEnd(visit: Visit, content: MoneyContent): Html {
  const words = visit.texts.money;
  const { books, month } = content;
  return section(
    'month-end',
    words.monthEnd,
    words.monthEndHint,
    html`${placesPart(visit, books)} ${monthChoice(visit, month)}
    ${month === undefined ? '' : previewPart(visit, books, month)}
    ${visit.may('money.close') ? runForm(visit, content) : ''} ${filesPart(visit, content)}
    ${periodsPart(visit, content)}`,
  );
}

/** The last months, the newest first. */
function lastMonths(today: string): string[] {
  let month = today.slice(0, 7);
  return Array.from({ length: MONTHS }, () => {
    month = addDays(`${month}-01`, -1).slice(0, 7);
    return month;
  });
}

function monthText({ locale }: Visit, month: string): string {
  const at = new Date(`${lastDayOfMonth(month)}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
}

function monthOptions(visit: Visit): { value: string; text: string }[] {
  return lastMonths(visit.today).map((value) => ({ value, text: monthText(visit, value) }));
}

function monthChoice(visit: Visit, month: string | undefined): Html {
  const { connection, connections, texts } = visit;
  return html`<form class="form" method="get" action="/console/money">
    ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
    ${choiceField({ name: 'month', label: texts.money.month, options: monthOptions(visit), chosen: month })}
    <button type="submit">${texts.money.check}</button>
  </form>`;
}

function previewPart(visit: Visit, { preview }: Books, month: string): Html {
  const { texts, format } = visit;
  const words = texts.money;
  if (preview === undefined) return html``;
  const title = monthText(visit, month);
  if (preview.state === 'locked' || preview.books === null) return html`<p class="good">✓ ${words.isLocked(title)}</p>`;
  const { entries, states, control } = preview.books;
  const sums = control.map(({ currency, debit }) => format.money(Number(debit), currency)).join(', ');
  return html`<h3>${title}</h3>
    ${
      preview.reasons.length === 0
        ? html`<p class="good">✓ ${words.ready}</p>`
        : html`<p class="bad">${words.inTheWay(preview.reasons.length)}</p>
            <ul>
              ${preview.reasons.map((reason) => html`<li>${reason}</li>`)}
            </ul>`
    }
    <p>${words.sums(entries, sums === '' ? '0' : sums)}</p>
    <p class="dim">${words.states(states)}</p>
    ${
      preview.remarks.length === 0
        ? ''
        : html`<details>
            <summary>${words.remarks(preview.remarks.length)}</summary>
            <ul>
              ${preview.remarks.map((remark) => html`<li>${remark}</li>`)}
            </ul>
          </details>`
    }
    ${visit.may('money.close') ? closeForms(visit, { month, title, entries, sums }) : ''}`;
}

interface Closing {
  readonly month: string;
  readonly title: string;
  readonly entries: number;
  readonly sums: string;
}

/** Closing softly can be undone, so that one button does it; closing for good asks first. */
function closeForms(visit: Visit, closing: Closing): Html {
  const words = visit.texts.money;
  const isSoft = visit.refused?.fields['soft'] === '1';
  const without = { ...visit, refused: undefined };
  return html`${actionForm(
    isSoft ? visit : without,
    { page: 'money', action: 'close', label: words.softClose },
    html`<p>${words.softCloses(closing.title)}</p>
      ${hiddenFields({ period: closing.month, soft: '1' })}
      <button type="submit">${words.softClose}</button>`,
  )}
  ${closeForGood(isSoft ? without : visit, closing)}`;
}

function closeForGood(visit: Visit, { month, title, entries, sums }: Closing): Html {
  const words = visit.texts.money;
  return askFirst(visit, {
    page: 'money',
    action: 'close',
    open: words.close,
    consequence: words.closes(title, entries, sums),
    confirm: words.close,
    hidden: { period: month },
  });
}

function runForm(visit: Visit, { books, month }: MoneyContent): Html {
  const words = visit.texts.money;
  const options = books.listed.jobs.map(({ job, format, what }) => {
    const named = words.formats[format] ?? what;
    return { value: job, text: named === '' ? job : `${job}: ${named}` };
  });
  return html`<h3>${words.files}</h3>
    <p class="dim">${words.filesHint}</p>
    ${actionForm(
      visit,
      { page: 'money', action: 'run', label: words.files },
      html`${choiceField({ name: 'job', label: words.format, options, chosen: typed(visit, 'run', 'job', 'xlsx') })}
        ${choiceField({
          name: 'period',
          label: words.month,
          options: monthOptions(visit),
          chosen: typed(visit, 'run', 'period', month ?? ''),
          of: 'run-',
        })}
        ${
          visit.refused?.action === 'run'
            ? inputField({
                name: 'override',
                label: words.override,
                value: typed(visit, 'run', 'override'),
                longest: 500,
              })
            : ''
        } <button type="submit">${words.write}</button>`,
    )}`;
}

function filesPart(visit: Visit, { run }: MoneyContent): Html {
  if (run === undefined) return html``;
  const { texts, format } = visit;
  return html`<ul class="plain" aria-label="${texts.money.files}">
    ${run.files.map(
      ({ name, bytes }) =>
        html`<li>
          <a href="${visit.address('money/file', { run: run.run, name })}" download>${name}</a>
          <span class="dim">${texts.money.bytes(format.count(bytes))}</span>
        </li>`,
    )}
  </ul>`;
}

function periodsPart(visit: Visit, { books: { listed }, month }: MoneyContent): Html {
  const { texts, format } = visit;
  const words = texts.money;
  const runs = listed.runs.map((run) => [
    html`<a href="${visit.address('money', { run: run.run_id })}">${run.job}</a>`,
    `${run.from} – ${run.to}`,
    words.runStates[run.state] ?? run.state,
    format.count(run.entries),
    format.moment(run.started_at),
  ]);
  const months = listed.periods
    .toReversed()
    .map((one, index) => [
      monthText(visit, one.period),
      words.periodStates[one.state] ?? one.state,
      format.count(one.entries),
      visit.may('money.close')
        ? changeForms(visit, one, { isNewest: index === 0, isChecked: one.period === month })
        : '',
    ]);
  return html`${
    months.length === 0
      ? html`<p class="dim">${words.noneClosed}</p>`
      : html`<h3>${words.closedMonths}</h3>
          ${table([words.month, words.state, words.entries, texts.today.answer], months)}`
  }
  ${
    runs.length === 0
      ? ''
      : html`<details>
          <summary>${words.runs}</summary>
          ${table([words.format, words.days, words.state, words.entries, words.when], runs)}
        </details>`
  }`;
}

/** What can become of a closed month. What was checked has its question above. */
function changeForms(
  visit: Visit,
  { period, state, entries }: Books['listed']['periods'][number],
  { isNewest, isChecked }: { isNewest: boolean; isChecked: boolean },
): Html {
  // A refusal is said where the month is the one that it is about.
  const asked = visit.refused?.fields['period'] === period ? visit : { ...visit, refused: undefined };
  return html`${
    state === 'soft' && !isChecked
      ? closeForGood(asked, { month: period, title: monthText(visit, period), entries, sums: '' })
      : ''
  }
  ${isNewest && state !== 'open' ? reopenForm(asked, period) : ''}`;
}

function reopenForm(visit: Visit, period: string): Html {
  const words = visit.texts.money;
  return askFirst(visit, {
    page: 'money',
    action: 'reopen',
    open: words.reopen,
    consequence: words.reopens(monthText(visit, period)),
    confirm: words.reopen,
    more: html`${hiddenFields({ period })}
    ${inputField({ name: 'reason', label: words.reason, isRequired: true, longest: 500, value: typed(visit, 'reopen', 'reason') })}`,
  });
}
