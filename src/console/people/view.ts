import { type Html, html } from '../../kernel/markup/html.ts';
import { ROLES } from '../../kernel/roles.ts';
import { may, type Right, rights, type Role } from '../access.ts';
import { actionForm, askFirst, choiceField, hiddenFields, inputField, typed } from '../frame/form.ts';
import { section, table } from '../frame/table.ts';
import type { Visit } from '../visit.ts';
import type { Colleague } from './query.ts';

type Property = { id: number; name: string | null };

const GIVEN = ROLES.filter((role) => role !== 'owner');

/** Shows who may use the account, and as what. */
export function peopleView(visit: Visit, people: readonly Colleague[], properties: readonly Property[]): Html {
  const words = visit.texts.people;
  return html`<header class="head">
      <h1>${words.title}</h1>
      <p class="dim">${words.hint}</p>
    </header>
    ${people.length === 0 ? html`<p class="note">${words.nobody}</p>` : list(visit, people, properties)}
    ${section('invite', words.add, words.addHint, draftForm(visit, properties))} ${rightsTable(visit)}`;
}

function list(visit: Visit, people: readonly Colleague[], properties: readonly Property[]): Html {
  const { texts, format } = visit;
  const words = texts.people;
  const namesOf = (ids: readonly number[]) =>
    ids.map((id) => properties.find((one) => one.id === id)?.name ?? `#${id}`).join(', ');
  const rows = people.map((person) => [
    person.name,
    words.roles[person.role],
    person.all_properties ? words.all : namesOf(person.property_ids) || words.none,
    person.login ??
      (person.invited_until === null ? words.noAccess : words.invitedUntil(format.moment(person.invited_until))),
    html`<div class="actions">
      <a href="${visit.address('people', { edit: person.id })}">${words.change}</a>
      ${actionForm(
        visit,
        { page: 'people', action: 'invite', classes: 'inline' },
        html`${hiddenFields({ id: person.id })}<button type="submit" class="second">${words.invite}</button>`,
      )}
      ${
        person.login === null && person.invited_until === null
          ? ''
          : askFirst(visit, {
              page: 'people',
              action: 'take-access',
              open: words.takeAccess,
              consequence: words.takeConsequence(person.name),
              confirm: words.takeAccess,
              hidden: { id: person.id },
            })
      }
    </div>`,
  ]);
  return section(
    'people',
    words.title,
    '',
    table([words.name, words.role, words.sees, words.signsIn, words.change], rows),
  );
}

/** Shows the form for a new person, or for one who exists. */
export function draftForm(visit: Visit, properties: readonly Property[], person?: Colleague): Html {
  const words = visit.texts.people;
  const action = person ? 'change' : 'add';
  const given = person?.property_ids ?? [];
  return actionForm(
    visit,
    { page: 'people', action },
    html`${person ? hiddenFields({ id: person.id }) : ''}
      ${inputField({
        name: 'name',
        label: words.name,
        value: typed(visit, action, 'name', person?.name),
        isRequired: true,
        longest: 100,
      })}
      ${choiceField({
        name: 'role',
        label: words.role,
        options: GIVEN.map((role) => ({ value: role, text: words.roles[role] })),
        chosen: typed(visit, action, 'role', person?.role ?? 'staff'),
      })}
      ${choiceField({
        name: 'sees',
        label: words.sees,
        options: [
          { value: 'all', text: words.all },
          { value: 'some', text: words.some },
        ],
        chosen: person && !person.all_properties ? 'some' : 'all',
      })}
      ${propertyChoice(visit, properties, given)}
      <button type="submit">${person ? visit.texts.form.save : words.addAndInvite}</button>`,
  );
}

/** Shows the link for a new person, this once. */
export function inviteView(visit: Visit, name: string, link: string, until: string): Html {
  const words = visit.texts.people;
  return html`<h1>${words.linkFor(name)}</h1>
    <p>${words.linkHint(visit.format.moment(until))}</p>
    <p><code class="secret">${link}</code></p>
    <p><a class="button" href="${visit.address('people')}">${words.linkKept}</a></p>`;
}

/** Shows the table of rights: who may what. */
function rightsTable(visit: Visit): Html {
  const words = visit.texts.people;
  const holder = (role: Role) => ({ role, properties: null });
  const rows = (Object.keys(rights) as Right[]).map((right) => [
    words.rights[right],
    ...ROLES.map((role) => (may(holder(role), right) ? html`<span aria-label="${words.yes}">✓</span>` : '')),
  ]);
  return html`<section aria-labelledby="rights">
    <details>
      <summary id="rights">${words.whoMay}</summary>
      ${table([words.right, ...ROLES.map((role) => words.roles[role])], rows)}
    </details>
  </section>`;
}

function propertyChoice(
  { texts, connection, connections }: Visit,
  properties: readonly Property[],
  given: readonly number[],
): Html {
  return html`<fieldset class="wide">
    <legend>${connections.length > 1 ? texts.people.whichOf(connection) : texts.people.which}</legend>
    <div class="checks">
      ${properties.map(
        ({ id, name }) =>
          html`<label
            ><input type="checkbox" name="property_ids" value="${id}" ${given.includes(id) ? 'checked' : ''} />
            ${name ?? `#${id}`}</label
          >`,
      )}
    </div>
  </fieldset>`;
}
