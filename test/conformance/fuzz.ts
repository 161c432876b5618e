import { type Dice, seededDice } from '../../src/kernel/seeded.ts';
import { type Judge, judges, resolved } from '../support/openapi.ts';
import { startTestService } from '../support/service.ts';

/** The longest that an answer may take, in milliseconds. */
const SLOWEST_MS = 1_000;
/** Answers that are told of each kind of mistake. */
const TOLD = 5;
const DEEPEST = 4;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
interface Schema {
  type?: string | string[];
  enum?: Json[];
  const?: Json;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  $ref?: string;
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Described {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { schema: Schema; example?: Json } } };
  responses: { 200: { content: { 'application/json': { schema: Schema } } } };
  'x-error-codes': number[];
}

/** What a request found wrong. */
interface Mistake {
  kind: string;
  request: string;
  answer: string;
}

/**
 * Random requests to every operation of `/openapi.json`, by what that document says alone: a third as it says, a third
 * with one thing changed, a third of anything. No answer may be a failure of the server, off its schema or its codes, or
 * slow.
 * @returns what has failed
 */
export async function fuzz(say: (line: string) => void, count: number, seed: number): Promise<string[]> {
  const dice = seededDice(seed);
  const service = await startTestService({ STAYD_LIMITS: 'off' });
  try {
    const served = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      servers: { url: string }[];
      paths: Record<string, Record<string, Described>>;
      components: { schemas: Record<string, object> };
    };
    const document = resolved(served, served);
    const judgeBy = judges(served);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({
        method: method.toUpperCase(),
        path,
        described,
        ...judgesOf(judgeBy, described.responses[200].content['application/json'].schema),
      })),
    );
    const base = new URL(document.servers[0]?.url ?? '', service.url).href.replace(/\/$/, '');
    const mistakes: Mistake[] = [];
    const codes = new Map<number, number>();
    let slowest = 0;
    for (let index = 0; index < count; index += 1) {
      const operation = operations[index % operations.length];
      if (!operation) break;
      const request = requestFor(dice, operation);
      const begun = performance.now();
      const response = await fetch(base + request.path, {
        method: operation.method,
        headers: {
          'service-access-token': service.token,
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(request.body !== undefined && { body: request.body }),
      });
      const text = await response.text();
      const took = performance.now() - begun;
      slowest = Math.max(slowest, took);
      const told = `${operation.method} ${request.path} ${request.body?.slice(0, 300) ?? ''}`;
      const wrong = wrongWith(operation, response.status, text, took, codes);
      if (wrong) mistakes.push({ kind: wrong, request: told, answer: text.slice(0, 300) });
    }
    const tally = [...codes].toSorted(([a], [b]) => a - b).map(([code, times]) => `${code}: ${times}`);
    say(
      `fuzz: ${count} requests to ${operations.length} operations (seed ${seed}): ${tally.join(', ')}; slowest ${Math.round(slowest)} ms`,
    );
    const kinds = new Map<string, Mistake[]>();
    for (const mistake of mistakes) kinds.set(mistake.kind, [...(kinds.get(mistake.kind) ?? []), mistake]);
    for (const [kind, some] of kinds) {
      say(`  ${some.length} × ${kind}`);
      for (const { request, answer } of some.slice(0, TOLD)) say(`    ${request}\n      ${answer}`);
    }
    return [...kinds.keys()].map((kind) => `fuzz: ${kind}`);
  } finally {
    await service.remove();
  }
}

interface Tried {
  method: string;
  path: string;
  described: Described;
  success: Judge;
  failure: Judge;
}

function wrongWith(
  { described, success, failure }: Tried,
  status: number,
  text: string,
  took: number,
  codes: Map<number, number>,
): string | undefined {
  if (status !== 200) return `HTTP ${status}`;
  let body: { error_code?: number };
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    return 'no JSON';
  }
  const code = body.error_code ?? -1;
  codes.set(code, (codes.get(code) ?? 0) + 1);
  if (code >= 500 && code !== 501) return `error_code ${code}`;
  if (code !== 200 && !described['x-error-codes'].includes(code)) return `code ${code} is not declared`;
  if ((code === 200 ? success : failure)(body) !== undefined) return `off its schema: ${described.operationId}`;
  return took > SLOWEST_MS ? 'slow' : undefined;
}

/** A success must fit what the operation answers; it would pass for a failure, too, which says less. */
function judgesOf(judgeBy: (schema: object) => Judge, { anyOf: [success, failure] = [] }: Schema) {
  if (!success || !failure) throw new Error('an operation says not how it succeeds and fails');
  return { success: judgeBy(success), failure: judgeBy(failure) };
}

function requestFor(dice: Dice, { path, described }: Tried): { path: string; body: string | undefined } {
  const way = dice.between(1, 3);
  const parameters = described.parameters ?? [];
  const value = (schema: Schema) => (way === 3 && dice.percent(60) ? anything(dice, 0) : fitting(dice, schema, 0));
  let filled = path;
  const query: string[] = [];
  for (const { name, in: where, required, schema } of parameters) {
    const text = asText(value(schema));
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(text === '' ? '1' : text));
    else if (where === 'query' && (required || dice.percent(30))) query.push(`${name}=${encodeURIComponent(text)}`);
  }
  const content = described.requestBody?.content['application/json'];
  let body: Json | undefined;
  if (content) {
    const { schema, example } = content;
    body = example !== undefined && dice.percent(50) ? structuredClone(example) : fitting(dice, schema, 0);
    if (way === 2) body = changed(dice, body);
    if (way === 3 && dice.percent(50)) body = anything(dice, 0);
  }
  return {
    path: filled + (query.length > 0 ? `?${query.join('&')}` : ''),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function asText(value: Json): string {
  // Half a character cannot stand in an address.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(/\p{Surrogate}/gu, '');
}

const WORDS = [
  '',
  'a',
  '1',
  'Ärger',
  '2027-03-01',
  '9999-12-31',
  '0000-00-00',
  '%',
  "'",
  '\u0000',
  '\ud800',
  '🏠',
  'x'.repeat(3_000),
];
const NUMBERS = [0, 1, -1, 2, 0.1, 1e-9, 2 ** 31, 2 ** 53, 1e308, -0];

/** A value that a schema allows, as far as it says; dates and ids now and then mean something. */
function fitting(dice: Dice, schema: Schema, depth: number): Json {
  if (schema.$ref !== undefined || depth > DEEPEST) return null;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return anyOf(dice, schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fitting(dice, anyOf(dice, choices), depth + 1);
  const type = Array.isArray(schema.type) ? anyOf(dice, schema.type) : schema.type;
  switch (type) {
    case 'object': {
      const needed = new Set(schema.required ?? []);
      const fields = Object.entries(schema.properties ?? {}).filter(([name]) => needed.has(name) || dice.percent(40));
      return Object.fromEntries(fields.map(([name, inner]) => [name, fitting(dice, inner, depth + 1)]));
    }
    case 'array':
      return Array.from({ length: dice.between(0, Math.min(schema.maxItems ?? 3, 3)) }, () =>
        fitting(dice, schema.items ?? {}, depth + 1),
      );
    case 'integer':
    case 'number':
      return dice.between(Math.max(schema.minimum ?? 0, -1_000), Math.min(schema.maximum ?? 50, 1_000));
    case 'boolean':
      return dice.percent(50);
    case 'null':
      return null;
    case 'string':
      if (schema.format === 'date') return `2027-0${dice.between(1, 9)}-1${dice.between(0, 9)}`;
      if (schema.format === 'date-time') return `2027-0${dice.between(1, 9)}-11T10:00:00Z`;
      return dice.pick(['a', 'Sea View', 'EUR', 'marketplace_a', '1', '12,13', '2027-03-01', 'L1']);
    default:
      return anything(dice, depth);
  }
}

function anything(dice: Dice, depth: number): Json {
  const kind = dice.between(1, depth > DEEPEST ? 4 : 6);
  if (kind === 1) return anyOf(dice, WORDS);
  if (kind === 2) return anyOf(dice, NUMBERS);
  if (kind === 3) return dice.percent(50);
  if (kind === 4) return null;
  if (kind === 5) return Array.from({ length: dice.between(0, 3) }, () => anything(dice, depth + 1));
  return Object.fromEntries(
    [1, 2].map((index) => [dice.pick(['id', 'name', '__proto__', 'amount', `x${index}`]), anything(dice, depth + 1)]),
  );
}

/** The same with one field of it left out, added or of another kind. */
function changed(dice: Dice, value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return anything(dice, 1);
  const names = Object.keys(value);
  const name = names.length > 0 ? anyOf(dice, names) : 'x';
  if (dice.percent(30)) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
  return { ...value, [dice.percent(80) ? name : 'unknown_field']: anything(dice, 1) };
}

function anyOf<Value>(dice: Dice, values: readonly Value[]): Value {
  const value = values[dice.between(0, values.length - 1)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}
