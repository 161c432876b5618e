import type { z } from 'zod';
import type { Fields } from '../../../client/fields.ts';
import { spellings } from '../../../contract/spellings.ts';
import { partsOf } from '../../../contract/schemaParts.ts';

/** The owner of personal values that belong to no guest record: the person who booked. */
export const BOOKER = 'booker';

/** Takes the place of a personal value in raw rows, versions and diffs; names a row of `guests`. */
export interface GuestReference {
  $guest: string;
}

export function isReference(value: unknown): value is GuestReference {
  return typeof value === 'object' && value !== null && '$guest' in value;
}

/** Personal values by owner (`booker` or a guest's id) and by their path below that owner. */
export type PersonalValues = Map<string, PersonalOwner>;
export interface PersonalOwner {
  /** The path of the owner in the row: '' for the row itself, `guests.0.` for the first guest. */
  prefix: string;
  values: Map<string, unknown>;
}

/** A row divided into its personal values and the rest. */
interface Separated {
  /** The row without personal values. It shares unchanged parts with the original row. */
  stripped: Fields;
  personal: PersonalValues;
}

type Node =
  | { kind: 'leaf' }
  | { kind: 'fields'; fields: readonly (readonly [string, Node])[]; owns: boolean }
  | { kind: 'list'; element: Node };

/**
 * Makes the function that takes personal values out of a row. The contract marks them (`.meta({ personal: true })`),
 * and one pass over the schema finds the marks. A value of an unexpected form in a personal place is taken out whole.
 * @param schema the schema of the row
 */
export function separator(schema: z.ZodType): (row: Fields, stayCode: string) => Separated {
  const node = compile(schema, false);
  return (row, stayCode) => {
    if (node?.kind !== 'fields') return { stripped: row, personal: new Map() };
    const scan = new Scan(stayCode);
    return { stripped: scan.fields(row, node, BOOKER, '', ''), personal: scan.personal };
  };
}

function compile(schema: z.ZodType, inList: boolean): Node | undefined {
  if (schema.meta()?.personal) return { kind: 'leaf' };
  const def = partsOf(schema);
  if (def.innerType) return compile(def.innerType, inList);
  if (def.element) {
    const element = compile(def.element, true);
    if (element?.kind === 'leaf') return element;
    return element && { kind: 'list', element };
  }
  // A choice or a map that contains something personal is taken out whole.
  const inner = def.options ?? (def.valueType ? [def.valueType] : []);
  if (inner.some((one) => compile(one, false))) return { kind: 'leaf' };
  if (!def.shape) return undefined;
  const fields = Object.entries(def.shape)
    .map(([name, field]) => [name, compile(field, false)] as const)
    .filter((entry): entry is readonly [string, Node] => entry[1] !== undefined);
  const second = spellings
    .filter(({ family, name }) => family === schema.meta()?.family && fields.some(([field]) => field === name))
    .map((pair): [string, Node] => [pair.second, { kind: 'leaf' }]);
  const all = [...fields, ...second];
  return all.length === 0 ? undefined : { kind: 'fields', fields: all, owns: inList && 'id' in def.shape };
}

class Scan {
  readonly personal: PersonalValues = new Map();
  readonly #stayCode: string;

  constructor(stayCode: string) {
    this.#stayCode = stayCode;
  }

  fields(row: Fields, node: Node & { kind: 'fields' }, owner: string, prefix: string, below: string): Fields {
    let copy: Fields | undefined;
    for (const [name, field] of node.fields) {
      const value = row[name];
      if (value === undefined) continue;
      const stripped = this.value(value, field, owner, prefix, below + name);
      if (stripped !== value) (copy ??= { ...row })[name] = stripped;
    }
    return copy ?? row;
  }

  value(value: unknown, node: Node, owner: string, prefix: string, path: string): unknown {
    if (value === null) return null;
    if (node.kind === 'list' && Array.isArray(value)) {
      const list = value.map((element: unknown, index) =>
        this.element(element, index, node.element, owner, prefix, path),
      );
      return list.every((element, index) => element === value[index]) ? value : list;
    }
    if (node.kind === 'fields' && isFields(value)) return this.fields(value, node, owner, prefix, `${path}.`);
    return this.leaf(value, owner, prefix, path);
  }

  element(element: unknown, index: number, node: Node, owner: string, prefix: string, path: string): unknown {
    if (node.kind !== 'fields' || !isFields(element))
      return this.value(element, node, owner, prefix, `${path}.${index}`);
    if (!node.owns) return this.fields(element, node, owner, prefix, `${path}.${index}.`);
    const id = element['id'];
    const own = typeof id === 'number' || typeof id === 'string' ? String(id) : `#${index}`;
    this.owner(own, `${prefix}${path}.${index}.`);
    return this.fields(element, node, own, `${prefix}${path}.${index}.`, '');
  }

  leaf(value: unknown, owner: string, prefix: string, path: string): unknown {
    const reference: GuestReference = { $guest: `${this.#stayCode}/${owner}` };
    if (Array.isArray(value) && value.length === 0) return value;
    this.owner(owner, prefix).values.set(path, value);
    return Array.isArray(value) ? value.map(() => reference) : reference;
  }

  owner(name: string, prefix: string): PersonalOwner {
    let owner = this.personal.get(name);
    if (!owner) this.personal.set(name, (owner = { prefix, values: new Map() }));
    return owner;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Personal values of one row by path, as JSON text. */
export type Values = ReadonlyMap<string, string>;

export const noValues: Values = new Map();

/** Returns all personal values of a row, whoever they belong to. */
export function flatValues(personal: PersonalValues): Values {
  const values = new Map<string, string>();
  for (const owner of personal.values()) {
    for (const [path, value] of owner.values) values.set(owner.prefix + path, JSON.stringify(value));
  }
  return values;
}

export function sameValues(a: Values, b: Values): boolean {
  return a.size === b.size && [...a].every(([path, value]) => b.get(path) === value);
}
