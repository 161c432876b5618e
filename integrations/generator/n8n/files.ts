import { selectableEvents } from '../../../src/contract/events.ts';
import { at, type ClientOperation, type Model, type Parameter, type Schema } from '../model.ts';

const HEAD = '// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.\n';

/** What the node offers: resource and operation as n8n names them, and the operation of v3. */
const OFFERED: readonly [resource: string, operation: string, id: string, action: string][] = [
  ['availability', 'getAll', 'listAvailabilities', 'Get free and blocked nights'],
  ['availability', 'update', 'updateAvailabilities', 'Open or block nights'],
  ['calendar', 'getAll', 'listCalendars', 'Get the calendars of listings'],
  ['calendar', 'updatePrices', 'updatePrices', 'Set prices of listings'],
  ['conversation', 'get', 'getConversation', 'Get a conversation with its messages'],
  ['conversation', 'getAll', 'listConversations', 'Get many conversations'],
  ['conversation', 'updateNote', 'updateConversationNote', 'Write the note of a conversation'],
  ['message', 'send', 'sendMessage', 'Send a message to a guest'],
  ['property', 'create', 'createProperty', 'Create a property'],
  ['property', 'getAll', 'listProperties', 'Get many properties'],
  ['reservation', 'cancel', 'cancelReservation', 'Cancel a reservation'],
  ['reservation', 'create', 'createReservation', 'Create a reservation'],
  ['reservation', 'getAll', 'listReservations', 'Get many reservations'],
  ['reservation', 'update', 'updateReservation', 'Update a reservation'],
  ['review', 'create', 'createReview', 'Review a guest'],
  ['review', 'getAll', 'listReviews', 'Get many reviews'],
  ['task', 'create', 'createTask', 'Create a task'],
  ['task', 'delete', 'deleteTask', 'Delete a task'],
  ['task', 'getAll', 'listTasks', 'Get many tasks'],
  ['task', 'update', 'updateTask', 'Update a task'],
  ['transaction', 'create', 'createTransaction', 'Create a transaction'],
  ['transaction', 'delete', 'deleteTransaction', 'Delete a transaction'],
  ['transaction', 'getAll', 'listTransactions', 'Get many transactions'],
  ['transaction', 'update', 'updateTransaction', 'Update a transaction'],
];
const PAGING = new Set(['cursor', 'offset', 'limit']);
const OPERATION_NAMES: Readonly<Record<string, string>> = { getAll: 'Get Many' };

/** Returns the generated sources of the n8n package by their names. */
export function n8nFiles(model: Model): Record<string, string> {
  const operations = OFFERED.map(([resource, operation, id, action]) => {
    const found = model.operations.find((one) => one.id === id);
    if (!found) throw new Error(`${id} is not in the document`);
    return offeredOf(resource, operation, action, found, model);
  });
  return {
    'Stayd/generated.ts': `${HEAD}
import type { OfferedOperation } from './operation';

export const OPERATIONS: readonly OfferedOperation[] = ${text(operations)};
`,
    'StaydTrigger/generated.ts': `${HEAD}
/** The kinds of events that a webhook can select. */
export const EVENTS: ReadonlyArray<{ name: string; value: string; description: string }> = ${text(eventsOf(model))};

`,
  };
}

function eventsOf({ events, schemas }: Model) {
  const selectable: readonly string[] = selectableEvents;
  return events
    .filter(({ kind }) => selectable.includes(kind))
    .map(({ kind, schema }) => ({
      name: titled(kind),
      value: kind,
      description: `Names ${fieldsOf(at(schema, schemas)).join(', ')}`,
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Fields of an event beside those of its envelope. */
function fieldsOf({ properties = {} }: Schema): string[] {
  return Object.keys(properties).filter((name) => !['event', 'event_id', 'timestamp'].includes(name));
}

function offeredOf(resource: string, operation: string, action: string, described: ClientOperation, model: Model) {
  const { id, method, path, parameters, body, summary, rows, data } = described;
  const given = parameters.filter(({ name }) => !PAGING.has(name));
  const { properties = {}, required = [] } = body ? at(body.schema, model.schemas) : {};
  const inBody: (Parameter & { where: string })[] = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    where: 'body',
    required: required.includes(name),
    schema,
    ...(schema.description && { description: schema.description }),
  }));
  const fields = [...given.map((one) => ({ ...one, where: one.in as string })), ...inBody];
  return {
    resource,
    operation,
    name: OPERATION_NAMES[operation] ?? titled(operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    action,
    description: summary,
    id,
    method,
    path,
    hasBody: body !== undefined,
    isPaged: rows !== undefined,
    rows: rows?.key ?? onlyArray(data, model),
    fields: fields.map((one) => ({
      name: one.name,
      where: one.where,
      required: one.required,
      ...fieldOf(one, model),
    })),
  };
}

/** The key of the only array in an answer, whose entries become items. */
function onlyArray(data: Schema | undefined, { schemas }: Model): string | null {
  const fields = Object.entries(data ? (at(data, schemas).properties ?? {}) : {});
  const [first] = fields;
  return fields.length === 1 && first?.[1].type === 'array' ? first[0] : null;
}

/** How n8n asks for a field. */
function fieldOf({ name, schema, description }: Parameter, { schemas }: Model) {
  const plain = plainOf(at(schema, schemas), schemas);
  const about = { displayName: titled(name), description: description ?? '' };
  if (plain.enum && plain.type === 'string') {
    const options = plain.enum.map((value) => ({ name: titled(String(value)), value }));
    return {
      ...about,
      type: 'options',
      options: options.toSorted((a, b) => a.name.localeCompare(b.name)),
      default: options[0]?.value,
    };
  }
  if (plain.type === 'boolean' || plain.enum?.includes(true)) return { ...about, type: 'boolean', default: false };
  if (plain.type === 'integer' || plain.type === 'number') return { ...about, type: 'number', default: 0 };
  if (plain.type === 'string') return { ...about, type: 'string', default: '' };
  return { ...about, type: 'json', default: plain.type === 'array' ? '[]' : '{}' };
}

/** A field that may be null is asked for as what it is otherwise. */
function plainOf(schema: Schema, schemas: Model['schemas']): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  if (others.length === 1 && only) return at(only, schemas);
  if (!Array.isArray(schema.type)) return schema;
  const [type, ...more] = schema.type.filter((one) => one !== 'null');
  return type !== undefined && more.length === 0 ? { ...schema, type } : schema;
}

function titled(name: string): string {
  return name
    .split('_')
    .map((word) => (word === 'id' ? 'ID' : word === 'ids' ? 'IDs' : `${word.charAt(0).toUpperCase()}${word.slice(1)}`))
    .join(' ');
}

function text(value: unknown): string {
  return JSON.stringify(value, null, '\t');
}
