import { isDeepStrictEqual } from 'node:util';
import { type Json, NAME_MARK } from '../jsonSchema.ts';

/** Keys that a place gives a part: they stand beside its reference. */
const OF_THE_PLACE = new Set(['description', 'default', 'x-addition']);

/** The schemas of a document by their names, gathered while its parts are replaced by references. */
export class NamedSchemas {
  readonly #schemas = new Map<string, Json>();
  readonly #texts: Map<string, string>;

  /** @param texts what schemas with names of their own are */
  constructor(texts: Readonly<Record<string, string>> = {}) {
    this.#texts = new Map(Object.entries(texts));
  }

  /**
   * Replaces every part that has a name, {@link NAME_MARK}, by a reference to it.
   * @param whole name of the whole if it has none of its own, and what it is then
   * @throws if two different schemas have one name
   */
  refer(schema: Json, whole?: { readonly name: string; readonly text: string }): Json {
    if (whole === undefined) return this.#replaced(schema) as Json;
    this.#texts.set(whole.name, whole.text);
    return this.#replaced({ [NAME_MARK]: whole.name, ...schema }) as Json;
  }

  /** Returns all of them, in the order of their names, each with what it is. */
  all(): Record<string, unknown> {
    const inOrder = [...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(
      inOrder.map(([name, schema]) => [name, { description: this.#texts.get(name), ...schema }]),
    );
  }

  #replaced(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#replaced(one));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([key, inner]) => [key, this.#replaced(inner)] as const);
    const name = fields.find(([key, inner]) => key === NAME_MARK && typeof inner === 'string')?.[1];
    if (typeof name !== 'string') return Object.fromEntries(fields);
    const isOfPlace = ([key]: readonly [string, unknown]) => OF_THE_PLACE.has(key);
    this.#keep(name, Object.fromEntries(fields.filter((field) => field[0] !== NAME_MARK && !isOfPlace(field))));
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(fields.filter(isOfPlace)) };
  }

  #keep(name: string, schema: Json): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two different schemas are called ${name}; give one of them another schemaName`);
    }
    this.#schemas.set(name, schema);
  }
}
