import { messageOf } from '../../kernel/errors.ts';
import { namesIn } from '../../kernel/markup/templates.ts';
import type { Action, Json, Texts } from './actions.ts';
import { type Field, fieldOf } from './fields.ts';
import type { Rule } from './rule.ts';

interface Placed {
  path: (string | number)[];
  text: string;
}

/** Returns every template of a rule with its place. */
function templatesOf({ actions, if_past }: Pick<Rule, 'actions' | 'if_past'>): Placed[] {
  const under = ({ name }: Action, at: number) => (actions.length === 1 ? ['do', name] : ['do', at, name]);
  return [
    ...actions.flatMap((action, at) =>
      templatesIn(action).map(({ path, text }) => ({ path: [...under(action, at), ...path], text })),
    ),
    ...ofTexts(['if_past', 'text'], if_past?.text ?? {}),
  ];
}

function templatesIn(action: Action): Placed[] {
  switch (action.name) {
    case 'message':
    case 'draft':
    case 'review_reply':
    case 'guest_review':
      return ofTexts(['text'], action.with.text);
    case 'ai_draft':
      return [...ofTexts(['before'], action.with.before ?? {}), ...ofTexts(['after'], action.with.after ?? {})];
    case 'task':
      return one('note', action.with.note);
    case 'lock_code':
      return one('code', action.with.code);
    case 'tag':
      return [...one('add', action.with.add), ...one('remove', action.with.remove)];
    case 'custom_field':
      return one('value', action.with.value ?? undefined);
    case 'note':
      return one('add', action.with.add);
    case 'notify':
      return one('text', action.with.text);
    case 'http':
      return ofJson(['body'], action.with.body);
    default:
      return [];
  }
}

function one(name: string, text: string | undefined): Placed[] {
  return text === undefined ? [] : [{ path: [name], text }];
}

function ofTexts(path: string[], texts: Texts): Placed[] {
  return Object.entries(texts).map(([language, text]) => ({
    path: language === '*' ? path : [...path, language],
    text,
  }));
}

function ofJson(path: (string | number)[], value: Json): Placed[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    ofJson([...path, Array.isArray(value) ? Number(name) : name], inner),
  );
}

/** Returns the fields in the templates of a rule's current action. */
export function fieldsOf(
  { do: action, if_past }: Pick<Rule, 'do' | 'if_past'>,
  secretFields: readonly string[],
): Field[] {
  return templatesOf({ actions: [action], if_past }).flatMap(({ text }) =>
    namesIn(text).flatMap((parts) => (parts && fieldOf(parts, secretFields)) ?? []),
  );
}

/** Returns the mistakes in templates: syntax errors and unknown names. */
export function templateMistakes(
  rule: Rule,
  secretFields: readonly string[],
): { path: (string | number)[]; problem: string }[] {
  return templatesOf(rule).flatMap(({ path, text }) => {
    let names: (string[] | null)[];
    try {
      names = namesIn(text);
    } catch (error) {
      return [{ path, problem: `template: ${messageOf(error).replace(/, line:1, col:/, ', at ')}` }];
    }
    return names.flatMap((parts) => {
      const problem = nameProblem(rule, parts, secretFields);
      return problem === undefined ? [] : [{ path, problem }];
    });
  });
}

/** Actions with a public text. */
const PUBLIC: ReadonlySet<string> = new Set(['review_reply', 'guest_review']);

function nameProblem(rule: Rule, parts: readonly string[] | null, secretFields: readonly string[]): string | undefined {
  if (parts === null) return 'a name in brackets is only known when it is too late; name the field itself';
  const name = parts.join('.');
  const field = fieldOf(parts, secretFields);
  if (!field) return `{{ ${name} }} is no field; docs/automations.md lists them`;
  if (field.secret && PUBLIC.has(rule.do.name)) return `{{ ${name} }} is a secret, and everybody can read a review`;
  if (!isThere(rule, field)) return `{{ ${name} }} is never there in a rule with this "when"`;
  return undefined;
}

/** Returns true if a rule can ever know a field. */
function isThere({ when }: Pick<Rule, 'when'>, { of }: Field): boolean {
  switch (of) {
    case 'account':
      return true;
    case 'day':
      return when.kind === 'every';
    case 'message':
      return when.kind === 'message';
    case 'task':
      return when.kind === 'task';
    case 'review':
      return when.kind === 'change' && when.resource === 'review';
    case 'change':
      return when.kind === 'change' || when.kind === 'event';
    default:
      return when.kind !== 'every';
  }
}
