import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { type Look, masthead } from '../../kernel/markup/look.ts';
import { type Format, formatFor } from '../frame/format.ts';
import type { Texts } from '../texts/choose.ts';
import type { WorkTask } from './services.ts';

interface Shown {
  readonly texts: Texts;
  readonly locale: string;
  readonly token: string;
  readonly name: string;
  /** How the account looks; undefined: plain. */
  readonly look: Look | undefined;
  readonly today: PlainDate;
  readonly tasks: readonly WorkTask[];
  readonly problem: string | undefined;
  /** What was done just before. */
  readonly said: string | undefined;
}

/** Shows the tasks of one person by day, each with what can be done about it. */
export function workView(shown: Shown): readonly [title: string, body: Html] {
  const { texts, locale, name, look, today, tasks, problem, said } = shown;
  const words = texts.work;
  const format = formatFor(locale, 'UTC', today);
  const days = [
    { id: 'earlier', title: words.earlier, tasks: tasks.filter(({ date }) => date < today) },
    { id: 'today', title: words.today, tasks: tasks.filter(({ date }) => date === today) },
    { id: 'tomorrow', title: words.tomorrow, tasks: tasks.filter(({ date }) => date > today) },
  ];
  const done = said !== undefined && Object.hasOwn(words.said, said) ? words.said[said] : undefined;
  return [
    words.title,
    html`<main id="content" class="work">
      ${masthead(look)}
      <h1>${words.hello(name)}</h1>
      ${problem === undefined ? '' : html`<p class="bad" role="alert">${texts.form.wrong(problem)}</p>`}
      ${done === undefined ? '' : html`<p class="said" role="status">${done}</p>`}
      ${days.map(({ id, title, tasks: some }) =>
        some.length === 0 && id === 'earlier'
          ? ''
          : html`<section aria-labelledby="${id}">
              <h2 id="${id}">${title} <span class="count">${dateOf(format, id, today)}</span></h2>
              ${some.length === 0 ? html`<p class="dim">${words.nothing}</p>` : some.map((task) => card(shown, format, task))}
            </section>`,
      )}
    </main>`,
  ];
}

function dateOf(format: Format, id: string, today: PlainDate): string {
  return id === 'today' ? format.day(today) : id === 'tomorrow' ? format.day(addDays(today, 1)) : '';
}

function card({ texts, token, today }: Shown, format: Format, task: WorkTask): Html {
  const words = texts.work;
  const { types, statuses } = texts.tasks;
  const kind = types[task.type] ?? task.type;
  const isDone = task.status === 'completed';
  return html`<article class="card" aria-labelledby="task-${task.id}">
    <h3 id="task-${task.id}">${task.property ?? words.noProperty}</h3>
    <p>
      ${kind}, <span class="${isDone ? 'good' : ''}">${statuses[task.status] ?? task.status}</span>
      ${task.time === null ? '' : html`· ${words.at(task.time)}`}
      ${task.date < today ? html`· ${format.day(task.date)}` : ''}
    </p>
    <ul>
      ${task.leaves ? html`<li>${words.leaves(task.leavesBy)}</li>` : ''}
      ${
        task.next === null
          ? html`<li>${words.noNext}</li>`
          : html`<li>
              ${task.next.date === task.date ? html`<strong>${words.sameDay}</strong>` : words.next(format.day(task.next.date))}${task.next.people === null ? '' : html`, ${words.people(task.next.people)}`}${task.comesFrom === null ? '' : html`, ${words.comesFrom(task.comesFrom)}`}
            </li>`
      }
    </ul>
    ${task.note === '' ? '' : html`<p class="note">${task.note}</p>`}
    <div class="actions">
      ${isDone ? button(token, task, 'pending', words.reopen, 'second') : button(token, task, 'completed', words.done, '')}
      ${task.status === 'pending' ? button(token, task, 'in_progress', words.start, 'second') : ''}
    </div>
    ${task.property === null ? '' : damageForm(texts, token, task)}
  </article>`;
}

function button(token: string, { id, property }: WorkTask, status: string, text: string, classes: string): Html {
  return html`<form method="post" action="/work/${token}/mark">
    <input type="hidden" name="id" value="${id}" />
    <input type="hidden" name="status" value="${status}" />
    <button type="submit" class="${classes}" aria-label="${text}: ${property ?? ''}">${text}</button>
  </form>`;
}

function damageForm({ work: words }: Texts, token: string, { id }: WorkTask): Html {
  return html`<details>
    <summary>${words.damage}</summary>
    <form class="form" method="post" action="/work/${token}/damage" enctype="multipart/form-data">
      <input type="hidden" name="id" value="${id}" />
      <div class="field wide">
        <label for="text-${id}">${words.damageText}</label>
        <textarea id="text-${id}" name="text" required maxlength="400"></textarea>
      </div>
      <div class="field wide">
        <label for="photo-${id}">${words.photo}</label>
        <input id="photo-${id}" name="photo" type="file" accept="image/jpeg,image/png" aria-describedby="hint-${id}" />
        <p id="hint-${id}" class="dim">${words.photoHint}</p>
      </div>
      <button type="submit">${words.send}</button>
    </form>
  </details>`;
}

/** Says that a link opens nothing, or no longer. */
export function endedView({ work: words }: Texts): readonly [title: string, body: Html] {
  return plain(words.ended, words.endedHint);
}

/** Says that a link is opened too often. */
export function busyView({ work: words }: Texts): readonly [title: string, body: Html] {
  return plain(words.busy, words.busyHint);
}

function plain(title: string, hint: string): readonly [title: string, body: Html] {
  return [
    title,
    html`<main id="content" class="narrow">
      <h1>${title}</h1>
      <p>${hint}</p>
    </main>`,
  ];
}
