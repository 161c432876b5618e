import { spellings } from '../spellings.ts';
import { type Convert, type FormName, forms } from './forms.ts';
import type { Profile } from './profile.ts';

/** Fields of a JSON object by name. */
export type Fields = Record<string, unknown>;

/** Direction of a translation between our names and those of the dialect. */
export type Direction = 'toTheirs' | 'fromTheirs';

type Path = readonly string[];

interface Move {
  readonly from: Path;
  readonly to: Path;
  readonly convert: Convert | undefined;
}

/** Rearranges the fields of one object, in place. */
export type Rearrange = (fields: Fields) => void;

/**
 * Returns the step that moves the fields of a family; undefined where the profile has no rule for it.
 * @param known fields that the contract gives the object
 */
export function rearranger(
  { profile, direction }: { profile: Profile; direction: Direction },
  family: string,
  known: readonly string[],
): Rearrange | undefined {
  const rules = Object.entries(profile.fields[family] ?? {});
  const moved = rules.map(([ours]) => ours);
  const isOurs = ({ from }: Move) => known.includes(from.join('.')) && !moved.includes(from.join('.'));
  if (rules.length === 0) return undefined;
  const moves = rules.map(([ours, { name: theirs = ours, form }]): Move => {
    const [mine, other] = [ours.split('.'), theirs.split('.')];
    const convert = converterOf(family, { ours, theirs, form }, direction);
    return direction === 'toTheirs' ? { from: mine, to: other, convert } : { from: other, to: mine, convert };
  });
  return (fields) => {
    // All values are taken before any is put, since two fields may change places.
    const taken = moves.map((move) => ({ move, value: take(fields, move.from) }));
    for (const { move, value } of taken) {
      if (value === undefined) continue;
      const isThere = at(fields, move.to) !== undefined;
      if (isThere && direction === 'toTheirs') continue;
      // A value already under our own name is unknown to the profile; a value that is ours under either name stays.
      if (isThere || (direction === 'fromTheirs' && isOurs(move))) put(fields, move.from, value);
      if (!isThere) put(fields, move.to, move.convert ? move.convert(value) : value);
    }
  };
}

/** Returns the step that leaves out fields; undefined where there are none to leave out. */
export function omitter(paths: readonly string[] | undefined): Rearrange | undefined {
  const split = (paths ?? []).map((one) => one.split('.'));
  if (split.length === 0) return undefined;
  return (fields) => {
    for (const path of split) drop(fields, path);
  };
}

interface FieldRule {
  readonly ours: string;
  readonly theirs: string;
  readonly form: string | undefined;
}

/**
 * Returns the converter of the form that a rule names, or of the pair of spellings, which may write one fact in two
 * forms.
 */
function converterOf(family: string, { ours, theirs, form }: FieldRule, direction: Direction): Convert | undefined {
  if (form !== undefined) return forms[form as FormName][direction];
  const pair = spellings.find((one) => one.family === family && one.name === ours && one.second === theirs);
  return direction === 'toTheirs' ? pair?.toSecond : pair?.fromSecond;
}

function holderOf(fields: Fields, path: Path): Fields | undefined {
  let holder: unknown = fields;
  for (const name of path.slice(0, -1)) holder = isFields(holder) ? holder[name] : undefined;
  return isFields(holder) ? holder : undefined;
}

function at(fields: Fields, path: Path): unknown {
  return holderOf(fields, path)?.[path.at(-1) ?? ''];
}

/** Removes a value from its place, together with every object that becomes empty by it. */
function take(fields: Fields, path: Path): unknown {
  const holder = holderOf(fields, path);
  const name = path.at(-1) ?? '';
  const value = holder?.[name];
  if (value === undefined || !holder) return undefined;
  Reflect.deleteProperty(holder, name);
  if (path.length > 1 && Object.keys(holder).length === 0) take(fields, path.slice(0, -1));
  return value;
}

function put(fields: Fields, path: Path, value: unknown): void {
  let holder = fields;
  for (const name of path.slice(0, -1)) {
    const inner = holder[name];
    holder = (isFields(inner) ? inner : (holder[name] = {})) as Fields;
  }
  holder[path.at(-1) ?? ''] = value;
}

/** Removes a field; along the path it enters every object of a list. */
function drop(fields: unknown, [name = '', ...rest]: Path): void {
  if (Array.isArray(fields)) for (const one of fields) drop(one, [name, ...rest]);
  else if (!isFields(fields)) return;
  else if (rest.length === 0) Reflect.deleteProperty(fields, name);
  else drop(fields[name], rest);
}

/** Returns true for a JSON object: neither null nor an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
