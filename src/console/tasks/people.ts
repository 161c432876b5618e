import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { StaffLine, TasksQuestion, TasksShown } from './shown.ts';

/** Returns true for who may keep the list of people; elsewhere it is one list for all properties. */
export function mayKeepStaff(visit: Visit): boolean {
  return visit.may('tasks.plan') && (visit.isHere || visit.person.properties === null);
}

/** Shows the people who do tasks, and the form for a new one. */
export function peopleSection(visit: Visit, question: TasksQuestion, { staffs, linked }: TasksShown): Html {
  const words = visit.texts.tasks;
  const isOpen = visit.refused?.action === 'add_person';
  return section(
    'people',
    words.people,
    words.peopleHint,
    html`${staffs.length === 0 ? '' : peopleTable(visit, question, { staffs, linked })}
      <details class="ask" ${isOpen ? 'open' : ''}>
        <summary>${words.newPerson}</summary>
        ${actionForm(
          visit,
          { page: 'tasks', action: 'add_person', label: words.newPerson },
          html`${personFields(visit, 'add_person')} <button type="submit">${words.add}</button>`,
        )}
      </details>`,
  );
}

function peopleTable(
  visit: Visit,
  question: TasksQuestion,
  { staffs, linked }: Pick<TasksShown, 'staffs' | 'linked'>,
): Html {
  const words = visit.texts.tasks;
  const open = staffs.find(({ id }) => id === question.person);
  return html`${table(
    [words.name, words.mobile, words.email, words.state, ...(linked ? [words.link] : [])],
    staffs.map((one) => [
      html`<a href="${visit.address('tasks', { ...visit.at, person: one.id })}#open-person"
        >${one.name ?? `#${one.id}`}</a
      >`,
      one.mobile ?? '',
      one.email ?? '',
      one.is_active === 0 ? html`<span class="dim">${words.inactive}</span>` : words.active,
      ...(linked ? [linkCell(visit, one, linked.has(one.id))] : []),
    ]),
  )}
  ${open ? openPerson(visit, open) : ''}`;
}

function linkCell(visit: Visit, { id, name, is_active }: StaffLine, hasLink: boolean): Html | string {
  const words = visit.texts.tasks;
  const who = name ?? `#${id}`;
  if (!hasLink) {
    if (is_active === 0) return '';
    return actionForm(
      { ...visit, refused: undefined },
      { page: 'tasks', action: 'make_link', classes: 'actions' },
      html`${hiddenFields({ id })}
        <button type="submit" class="second small" aria-label="${words.makeLink}: ${who}">${words.makeLink}</button>`,
    );
  }
  const calm = { ...visit, refused: undefined };
  const ask = { page: 'tasks', hidden: { id } };
  return html`<div class="actions">
    ${askFirst(calm, { ...ask, action: 'make_link', open: words.renewLink, consequence: words.renewsLink(who), confirm: words.renewLink })}
    ${askFirst(calm, { ...ask, action: 'end_link', open: words.endLink, consequence: words.endsLink(who), confirm: words.endLink })}
  </div>`;
}

function openPerson(visit: Visit, person: StaffLine): Html {
  const words = visit.texts.tasks;
  const { person: _, ...at } = visit.at;
  return html`<section class="note" aria-labelledby="open-person">
    <div class="head">
      <h3 id="open-person">${person.name ?? `#${person.id}`}</h3>
      <a href="${visit.address('tasks', at)}">${words.close}</a>
    </div>
    ${actionForm(
      visit,
      { page: 'tasks', action: 'change_person', label: words.change },
      html`${hiddenFields({ id: person.id })} ${personFields(visit, 'change_person', person)}
        ${choiceField({
          of: 'change_person-',
          name: 'is_active',
          label: words.state,
          options: [
            { value: 1, text: words.active },
            { value: 0, text: words.inactive },
          ],
          chosen: typed(visit, 'change_person', 'is_active', person.is_active === 0 ? '0' : '1'),
        })} <button type="submit">${visit.texts.form.save}</button>`,
    )}
  </section>`;
}

function personFields(visit: Visit, action: string, person?: StaffLine): Html {
  const words = visit.texts.tasks;
  const of = `${action}-`;
  const was = (field: string, otherwise: string | null | undefined) => typed(visit, action, field, otherwise ?? '');
  return html`${inputField({ of, name: 'name', label: words.name, isRequired: true, longest: 128, value: was('name', person?.name) })}
  ${inputField({ of, name: 'mobile', label: words.mobile, type: 'tel', isRequired: true, longest: 30, hint: words.mobileHint, value: was('mobile', person?.mobile) })}
  ${inputField({ of, name: 'email', label: words.email, type: 'email', longest: 254, value: was('email', person?.email) })}
  ${inputField({ of, name: 'note', label: words.note, longest: 500, value: was('note', person?.note) })}`;
}
