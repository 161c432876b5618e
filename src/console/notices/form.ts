import { type Html, html } from '../../kernel/markup/html.ts';
import { actionForm, hiddenFields, inputField, typed } from '../frame/form.ts';
import type { Visit } from '../visit.ts';

interface Field {
  readonly name: string;
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly otherwise?: string;
}

/** The fields of each kind, by their names in its settings. */
const FIELDS = {
  email: [{ name: 'to', isRequired: true }],
  ntfy: [
    { name: 'topic', isRequired: true },
    { name: 'server', otherwise: 'https://ntfy.sh' },
    { name: 'token', isSecret: true },
  ],
  slack: [{ name: 'url', isRequired: true, isSecret: true }],
  telegram: [
    { name: 'token', isRequired: true, isSecret: true },
    { name: 'chat_id', isRequired: true },
  ],
  matrix: [
    { name: 'server', isRequired: true },
    { name: 'room', isRequired: true },
    { name: 'token', isRequired: true, isSecret: true },
  ],
  webhook: [
    { name: 'url', isRequired: true },
    { name: 'content_type', otherwise: 'application/json' },
    { name: 'header', isSecret: true },
    { name: 'body', otherwise: '{"title": {{ title | json }}, "text": {{ text | json }}}' },
  ],
} as const satisfies Readonly<Record<string, readonly Field[]>>;

export const formKinds = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
export type FormKind = (typeof formKinds)[number];

/** Builds the form that adds a place of a kind. A secret is not typed back when the form was refused. */
export function addForm(visit: Visit, kind: FormKind): Html {
  const words = visit.texts.notices;
  const { texts, refused } = visit;
  const isTicked = (name: string, otherwise: boolean) =>
    refused?.action === 'add' ? refused.fields[name] === 'on' : otherwise;
  const tick = (name: string, label: string, otherwise = false) =>
    html`<label
      ><input type="checkbox" name="${name}" ${isTicked(name, otherwise) ? 'checked' : ''} /> ${label}</label
    >`;
  return actionForm(
    visit,
    { page: 'notices', action: 'add', label: words.kinds[kind] ?? kind },
    html`${hiddenFields({ kind })}
      ${inputField({ name: 'name', label: words.name, hint: words.nameHint, value: typed(visit, 'add', 'name'), isRequired: true, longest: 60 })}
      ${FIELDS[kind].map(({ name, isRequired = false, isSecret = false, otherwise = '' }: Field) =>
        inputField({
          name,
          label: words.fields[name] ?? name,
          value: isSecret ? '' : typed(visit, 'add', name, otherwise),
          isRequired,
          autocomplete: 'off',
          longest: 2_048,
        }),
      )}
      ${inputField({ name: 'quiet', label: words.quiet, hint: words.quietHint, value: typed(visit, 'add', 'quiet'), longest: 11 })}
      ${inputField({ name: 'at', label: words.at, type: 'time', value: typed(visit, 'add', 'at', '07:30') })}
      <fieldset class="checks wide">
        <legend>${words.hears}</legend>
        ${tick('alarms', words.tellAlarms, true)} ${tick('wakes', words.wakes)} ${tick('today', words.tellToday)}
        ${tick('persons', words.persons)}
      </fieldset>
      <button type="submit">${words.addNow}</button>
      <a class="button second" href="${visit.address('notices')}">${texts.form.cancel}</a>`,
  );
}

/** Makes the settings of a kind from the fields of its form; what was left empty is left out. */
export function settingsOf(kind: FormKind, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = FIELDS[kind].flatMap(({ name }): [string, unknown][] => {
    const given = fields[name];
    const text = typeof given === 'string' ? given.trim() : '';
    if (text === '') return [];
    if (name === 'to') return [[name, text.split(/[,;\s]+/).filter((one) => one !== '')]];
    if (name === 'header') {
      const [header = '', ...value] = text.split(':');
      return [['headers', { [header.trim()]: value.join(':').trim() }]];
    }
    return [[name, text]];
  });
  return Object.fromEntries(given);
}
