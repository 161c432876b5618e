import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';
import { nameOf } from './actions.ts';
import type { NamedTask, OpenDeparture, TaskLine } from './query.ts';
import type { TasksQuestion, TasksShown } from './shown.ts';

/** Says once, above the lists, why a button in one of their rows did nothing. */
export function refusalOf({ refused, texts }: Visit, ...actions: readonly string[]): Html {
  return refused && actions.includes(refused.action)
    ? html`<p class="bad" role="alert">${texts.form.wrong(refused.problem)}</p>`
    : html``;
}

/** Builds a form whose refusal is said elsewhere, since its page has many of its kind. */
function quietForm(visit: Visit, action: string, content: Html): Html {
  return actionForm({ ...visit, refused: undefined }, { page: 'tasks', action, classes: 'actions' }, content);
}

/** Builds the button for the next step of a task. */
export function oneClick(visit: Visit, task: TaskLine): Html {
  const words = visit.texts.tasks;
  const steps: Readonly<Record<string, readonly ['in_progress' | 'completed' | 'pending', string]>> = {
    pending: ['completed', words.doneButton],
    in_progress: ['completed', words.doneButton],
    completed: ['pending', words.reopen],
    cancelled: ['pending', words.reopen],
  };
  const [status, text] = steps[task.status ?? 'pending'] ?? ['completed', words.doneButton];
  const name = `${text}: ${nameOf(visit, task)}`;
  return quietForm(
    visit,
    'mark',
    html`${hiddenFields({ id: task.id, status })}
      <button type="submit" class="${status === 'completed' ? '' : 'second'} small" aria-label="${name}">
        ${text}
      </button>`,
  );
}

/** Builds the button that plans the cleaning after a departure. */
export function plannedByClick(visit: Visit, { property_id, date, stay_code, property }: OpenDeparture): Html {
  const words = visit.texts.tasks;
  return quietForm(
    visit,
    'create',
    html`${hiddenFields({ type: 'cleaning', expected_date: date, property_id, stay_code })}
      <button type="submit" class="second small" aria-label="${words.planCleaning}: ${property ?? property_id}">
        ${words.planCleaning}
      </button>`,
  );
}

/** Builds the form for a new task. */
export function newTaskForm(visit: Visit, shown: TasksShown): Html {
  const words = visit.texts.tasks;
  const isOpen = visit.refused?.action === 'create';
  const was = (field: string, otherwise = '') => typed(visit, 'create', field, otherwise);
  return html`<details class="ask" ${isOpen ? 'open' : ''}>
    <summary>${words.newTask}</summary>
    ${actionForm(
      visit,
      { page: 'tasks', action: 'create', label: words.newTask },
      html`${fields(visit, shown, { of: 'new-', was, isNew: true })} <button type="submit">${words.add}</button>`,
    )}
  </details>`;
}

interface Filled {
  readonly of: string;
  readonly was: (field: string, otherwise?: string) => string;
  readonly isNew?: boolean;
  readonly task?: NamedTask;
}

function fields(visit: Visit, { staffs, properties, first }: TasksShown, { of, was, task }: Filled): Html {
  const words = visit.texts.tasks;
  const people = staffs.filter(({ id, is_active }) => is_active !== 0 || id === task?.staff_id);
  const none = visit.person.properties === null ? [{ value: 0, text: words.noProperty }] : [];
  return html`${choiceField({
      of,
      name: 'type',
      label: words.type,
      options: Object.entries(words.types).map(([value, text]) => ({ value, text })),
      chosen: was('type', task?.type ?? 'cleaning'),
    })}
    ${choiceField({
      of,
      name: 'property_id',
      label: words.property,
      options: [...none, ...properties.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` }))],
      chosen: was('property_id', String(task?.property_id ?? 0)),
    })}
    ${inputField({ of, name: 'expected_date', label: words.date, type: 'date', isRequired: true, value: was('expected_date', task?.expected_date ?? first) })}
    ${inputField({ of, name: 'expected_time', label: words.time, type: 'time', value: was('expected_time', task?.expected_time?.slice(0, 5) ?? '') })}
    ${choiceField({
      of,
      name: 'staff_id',
      label: words.person,
      options: [
        { value: 0, text: words.nobody },
        ...people.map(({ id, name }) => ({ value: id, text: name ?? `#${id}` })),
      ],
      chosen: was('staff_id', String(task?.staff_id ?? 0)),
    })}
    <div class="wide">
      ${inputField({ of, name: 'note', label: words.note, longest: 500, value: was('note', task?.note ?? '') })}
    </div>`;
}

/** Shows one task with everything that can be changed of it. */
export function openTask(visit: Visit, question: TasksQuestion, shown: TasksShown): Html {
  if (question.task === undefined) return html``;
  const { texts } = visit;
  const words = texts.tasks;
  const { open: task } = shown;
  const { task: _, ...at } = visit.at;
  const close = html`<a href="${visit.address('tasks', at)}">${words.close}</a>`;
  if (!task) return html`<p class="note">${words.gone} ${close}</p>`;
  const name = nameOf(visit, task);
  return html`<section class="note" aria-labelledby="open-task">
    <div class="head">
      <h2 id="open-task">${name}</h2>
      ${close}
    </div>
    ${photosShown(visit, shown)} ${visit.may('tasks.plan') ? changeForm(visit, shown, task) : noteForm(visit, task)}
    ${
      visit.may('tasks.plan')
        ? askFirst(visit, {
            page: 'tasks',
            action: 'remove',
            open: words.remove,
            consequence: words.removes(name, task.staff_name),
            confirm: words.remove,
            hidden: { id: task.id },
          })
        : ''
    }
  </section>`;
}

function photosShown(visit: Visit, { photos }: TasksShown): Html {
  if (photos.length === 0) return html``;
  const words = visit.texts.tasks;
  return html`<div class="photos">
    ${photos.map((photo, index) => {
      const address = visit.address('tasks/photo', { photo });
      return html`<a href="${address}"><img src="${address}" alt="${words.photo(index + 1)}" loading="lazy" /></a>`;
    })}
  </div>`;
}

function changeForm(visit: Visit, shown: TasksShown, task: NamedTask): Html {
  const words = visit.texts.tasks;
  const was = (field: string, otherwise = '') => typed(visit, 'change', field, otherwise);
  return actionForm(
    visit,
    { page: 'tasks', action: 'change', label: words.change },
    html`${hiddenFields({ id: task.id })}
      ${choiceField({
        of: 'edit-',
        name: 'status',
        label: words.status,
        options: Object.entries(words.statuses).map(([value, text]) => ({ value, text })),
        chosen: was('status', task.status ?? 'pending'),
      })}
      ${fields(visit, shown, { of: 'edit-', was, task })} <button type="submit">${visit.texts.form.save}</button>`,
  );
}

/** For those who do tasks and do not plan them. */
function noteForm(visit: Visit, task: NamedTask): Html {
  const words = visit.texts.tasks;
  if (!visit.may('tasks.do')) return html`<p class="dim">${visit.texts.form.mayNot}</p>`;
  return actionForm(
    visit,
    { page: 'tasks', action: 'mark', label: words.note },
    html`${hiddenFields({ id: task.id })}
      ${choiceField({
        of: 'edit-',
        name: 'status',
        label: words.status,
        options: Object.entries(words.statuses).map(([value, text]) => ({ value, text })),
        chosen: typed(visit, 'mark', 'status', task.status ?? 'pending'),
      })}
      ${inputField({ of: 'edit-', name: 'note', label: words.note, longest: 500, value: typed(visit, 'mark', 'note', task.note ?? '') })}
      <button type="submit">${visit.texts.form.save}</button>`,
  );
}
