import { Liquid } from 'liquidjs';
import { messageOf } from '../errors.ts';

/** Removed because a template uses only its own values: no files, no other templates. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block', 'tablerow'] as const;
const RENDER_MS = 200;
const MOST_SIGNS = 200_000;

const engine = strictEngine();

function strictEngine(): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    // A condition may test for the presence of a value.
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-US',
    parseLimit: MOST_SIGNS,
    renderLimit: RENDER_MS,
    memoryLimit: 4 * MOST_SIGNS,
    templates: {},
  });
  for (const name of REMOVED_TAGS) delete liquid.tags[name];
  return liquid;
}

/** Thrown when a template needs a value that is missing, perhaps only for now. */
export class MissingValue extends Error {
  override readonly name = 'MissingValue';
  readonly field: string;

  constructor(field: string) {
    super(`${field} is not known`);
    this.field = field;
  }
}

export type Scope = { readonly [name: string]: unknown };

/**
 * Returns the names in a template, each as its parts; null for a name that is known only when rendered. Throws an Error
 * that describes a mistake in the template.
 */
export function namesIn(text: string): (string[] | null)[] {
  const found = engine.globalVariableSegmentsSync(engine.parse(text), { partials: false }) as unknown[][];
  return found.map((parts) => (parts.every((part) => typeof part === 'string') ? (parts as string[]) : null));
}

/**
 * Renders a template. Throws MissingValue if a needed value is missing, or if the result is empty.
 * @param scope contains no empty values; unknown ones are left out
 */
export function renderTemplate(text: string, scope: Scope): string {
  let result: string;
  try {
    result = String(rendered(text, scope)).trim();
  } catch (error) {
    const name = /^undefined variable: ([\w.]{1,200})/.exec(messageOf(error))?.[1];
    throw name === undefined ? error : new MissingValue(name);
  }
  if (result === '') throw new MissingValue('anything to say');
  return result;
}

/** The limit is one of real time, which passes on a machine that is busy elsewhere, too: once more, then. */
function rendered(text: string, scope: Scope): unknown {
  try {
    return engine.parseAndRenderSync(text, scope);
  } catch (error) {
    if (!messageOf(error).includes('render limit exceeded')) throw error;
    return engine.parseAndRenderSync(text, scope);
  }
}

/** Returns a scope without empty values, so a text never mentions an unknown value. */
export function scopeOf(values: Record<string, Record<string, unknown>>): Scope {
  return Object.fromEntries(Object.entries(values).map(([name, group]) => [name, withoutEmpty(group)]));
}

function withoutEmpty(group: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, value]) => {
      if (value === null || value === undefined || value === '' || value === false) return [];
      return [[name, typeof value === 'object' ? withoutEmpty(value as Record<string, unknown>) : value]];
    }),
  );
}
