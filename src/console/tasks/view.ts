import { addDaysWithin } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { choiceField } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import { newTaskForm, oneClick, openTask, plannedByClick, refusalOf } from './forms.ts';
import { mayKeepStaff, peopleSection } from './people.ts';
import { MOST_TASKS, type TaskLine } from './query.ts';
import type { TasksQuestion, TasksShown } from './shown.ts';

/** Shows the tasks of a day or a week, and what can be done with them. */
export function tasksView(visit: Visit, question: TasksQuestion, shown: TasksShown): Html {
  const { texts, format } = visit;
  const words = texts.tasks;
  const { first, end } = shown;
  const last = addDaysWithin(end, -1);
  const span = first === last ? format.day(first) : `${format.day(first)} – ${format.day(last)}`;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${span}</p>
    </header>
    ${filters(visit, question, shown)} ${refusalOf(visit, 'mark', 'make_link', 'end_link')}
    ${openTask(visit, question, shown)}
    ${visit.may('tasks.plan') ? html`${uncleaned(visit, shown)}${newTaskForm(visit, shown)}` : ''}
    ${taskLists(visit, question, shown)} ${mayKeepStaff(visit) ? peopleSection(visit, question, shown) : ''}`;
}

function filters(visit: Visit, question: TasksQuestion, { first, properties, staffs }: TasksShown): Html {
  const { texts, connection, connections } = visit;
  const words = texts.tasks;
  const days = Number(question.days);
  const to = (fields: Record<string, string | number | undefined>) => {
    const { task: _task, person: _person, ...at } = visit.at;
    return visit.address('tasks', { ...at, ...fields });
  };
  const named = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, text]) => ({ value, text }));
  return html`<nav class="range" aria-label="${words.days}">
      <a href="${to({ day: addDaysWithin(first, -days) })}" rel="prev">${words.earlier}</a>
      <a href="${to({ day: undefined })}">${words.today}</a>
      <a href="${to({ day: addDaysWithin(first, days) })}" rel="next">${words.later}</a>
      <a href="${to({ days: '1' })}" ${question.days === '1' ? html`aria-current="true"` : ''}>${words.day}</a>
      <a href="${to({ days: '7' })}" ${question.days === '7' ? html`aria-current="true"` : ''}>${words.week}</a>
    </nav>
    <form class="form filters" method="get" action="/console/tasks" aria-label="${words.filters}">
      ${connections.length > 1 ? html`<input type="hidden" name="connection" value="${connection}" />` : ''}
      <input type="hidden" name="days" value="${question.days}" />
      ${question.day === undefined ? '' : html`<input type="hidden" name="day" value="${question.day}" />`}
      ${choiceField({ of: 'by-', name: 'type', label: words.type, none: words.all, options: named(words.types), chosen: question.type })}
      ${choiceField({
        of: 'by-',
        name: 'staff',
        label: words.person,
        none: words.everyone,
        options: [
          { value: 0, text: words.nobody },
          ...staffs.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
        ],
        chosen: question.staff,
      })}
      ${choiceField({
        of: 'by-',
        name: 'property',
        label: words.property,
        none: words.all,
        options: properties.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
        chosen: question.property,
      })}
      ${choiceField({ of: 'by-', name: 'status', label: words.status, none: words.all, options: named(words.statuses), chosen: question.status })}
      <button type="submit" class="second">${texts.frame.show}</button>
    </form>`;
}

/** Returns the tasks of each day and person, in their order. */
function grouped(tasks: readonly TaskLine[]): Map<string, TaskLine[]> {
  const groups = new Map<string, TaskLine[]>();
  for (const task of tasks) {
    const key = `${task.expected_date} ${task.staff_id ?? 0}`;
    const group = groups.get(key);
    if (group) group.push(task);
    else groups.set(key, [task]);
  }
  return groups;
}

/** The tasks, a table for each day and person. */
function taskLists(visit: Visit, question: TasksQuestion, { tasks }: TasksShown): Html {
  const { texts, format } = visit;
  const words = texts.tasks;
  if (tasks.length === 0) {
    const hint = visit.may('tasks.plan') ? words.nothingHint : words.nothingHintOther;
    return section('tasks', words.nothing, '', html`<p class="dim">${hint}</p>`);
  }
  const groups = grouped(tasks);
  return html`${[...groups.values()].map((lines, index) => {
    const date = lines[0]?.expected_date ?? null;
    const { staff_id = null, staff_name = null } = lines[0] ?? {};
    const name = staff_id ? (staff_name ?? `#${staff_id}`) : words.nobody;
    const done = lines.filter(({ status }) => status === 'completed').length;
    const title = question.days === '7' && date !== null ? `${format.day(date)}, ${name}` : name;
    return section(
      `list-${index}`,
      html`${title} <span class="count">${words.done(done, lines.length)}</span>`,
      '',
      taskTable(visit, lines),
    );
  })}${tasks.length === MOST_TASKS ? html`<p class="dim">${words.more(MOST_TASKS)}</p>` : ''}`;
}

function taskTable(visit: Visit, lines: readonly TaskLine[]): Html {
  const { texts } = visit;
  const words = texts.tasks;
  const mayDo = visit.may('tasks.do');
  return table(
    [words.task, words.property, words.time, words.before, words.note, words.status, ...(mayDo ? [words.next] : [])],
    lines.map((line) => {
      const to = visit.address('tasks', { ...visit.at, task: line.id });
      const kind = words.types[line.type ?? 'other'] ?? line.type ?? '';
      return [
        html`<a href="${to}#open-task">${kind}</a>`,
        line.property ?? html`<span class="dim">${words.noProperty}</span>`,
        line.expected_time?.slice(0, 5) ?? '',
        deadline(visit, line),
        line.note ?? '',
        html`<span class="${line.status === 'completed' ? 'good' : line.status === 'cancelled' ? 'dim' : ''}"
          >${words.statuses[line.status ?? ''] ?? line.status ?? ''}</span
        >`,
        ...(mayDo ? [oneClick(visit, line)] : []),
      ];
    }),
  );
}

function deadline({ texts, format }: Visit, { nextArrival, isTurnover }: TaskLine): Html | string {
  if (isTurnover) return html`<strong>${texts.tasks.turnover}</strong>`;
  return nextArrival === null ? html`<span class="dim">${texts.tasks.noArrival}</span>` : format.day(nextArrival);
}

/** The departures for which no cleaning is planned yet. */
function uncleaned(visit: Visit, { uncleaned: departures, first }: TasksShown): Html {
  const { texts, format, today } = visit;
  const words = texts.tasks;
  const open = departures.filter(({ date }) => date >= today);
  if (open.length === 0 || first < addDaysWithin(today, -1)) return html``;
  return section(
    'uncleaned',
    html`${words.uncleaned} <span class="count">${format.count(open.length)}</span>`,
    words.uncleanedHint,
    table(
      [words.property, words.leaves, words.before, words.next],
      open.map((one) => [
        one.property ?? `#${one.property_id}`,
        format.day(one.date),
        one.nextArrival === one.date
          ? html`<strong>${words.turnover}</strong>`
          : one.nextArrival === null
            ? html`<span class="dim">${words.noArrival}</span>`
            : format.day(one.nextArrival),
        plannedByClick(visit, one),
      ]),
    ),
  );
}
