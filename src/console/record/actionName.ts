import type { Texts } from '../texts/choose.ts';

type Names = Readonly<Record<string, string>>;

/** Actions that say more after their beginning: what was refused, what an application may do, why that ended. */
const BEGINNINGS = ['refused', 'allow', 'end oauth grant'];

/** Returns true for an action that is recorded as it is; others are the beginning of some. */
export function isWhole(names: Names, action: string | undefined): boolean {
  return action !== undefined && Object.hasOwn(names, action) && !BEGINNINGS.includes(action);
}

/** Returns what a person calls an action of the record; one that has no name is given as it was noted. */
export function actionName(names: Names, action: string): string {
  const name = ownName(names, action);
  if (name !== undefined) return name;
  const beginning = BEGINNINGS.find((one) => action.startsWith(one));
  if (beginning === undefined) return action;
  const rest = action.slice(beginning.length).replace(/^:? /, '');
  return `${ownName(names, beginning) ?? beginning}: ${ownName(names, rest) ?? rest}`;
}

/** Lists the actions that the page can be limited to, by their names; the one that is asked for is among them. */
export function actionChoices({ language, record }: Texts, asked: string | undefined) {
  const known = Object.keys(record.actions);
  const actions = asked === undefined || asked === '' || known.includes(asked) ? known : [...known, asked];
  return actions
    .map((value) => ({ value, text: actionName(record.actions, value) }))
    .toSorted((a, b) => a.text.localeCompare(b.text, language));
}

function ownName(names: Names, action: string): string | undefined {
  return Object.hasOwn(names, action) ? names[action] : undefined;
}
