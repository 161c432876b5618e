import { type OperationId, operationIds, operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Json, markedSchema } from '../jsonSchema.ts';
import type { NamedSchemas } from './namedSchemas.ts';
import { type Described, describe } from './operationObject.ts';
import { requestHeaders } from './requestHeaders.ts';

/** Describes an operation as the document has it: its schemas have names, and its text says who may call it. */
export function documentedOperation(id: OperationId, named: NamedSchemas): Json {
  const operation: Operation = operations[id];
  const { requestBody, responses, parameters = [], ...described } = describe(id, markedSchema);
  return {
    ...described,
    description: descriptionOf(operation),
    parameters: [...parameters.map((one) => underCommonName(operation, one)), ...requestHeaders(operation)],
    ...(requestBody && { requestBody: namedBody(requestBody, id, named) }),
    responses: {
      200: namedAnswer(responses[200], id, named),
      403: { $ref: '#/components/responses/NotServed' },
    },
  };
}

/** Returns `listTasks` and `task_created` as ListTasks and TaskCreated. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The common name of a path field. OpenAPI treats paths that differ only in names of their fields as one. */
const COMMON_NAME = 'code';

/** Returns the path under which the document has an operation. */
export function documentedPath(path: string): string {
  const form = formOf(path);
  const isShared = operationIds.some((id) => operations[id].path !== path && formOf(operations[id].path) === form);
  return isShared ? form.replaceAll('{}', `{${COMMON_NAME}}`) : path;
}

function formOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

type Parameter = NonNullable<Described['parameters']>[number];

function underCommonName({ path }: Operation, parameter: Parameter): Parameter {
  if (parameter.in !== 'path' || documentedPath(path) === path) return parameter;
  return { ...parameter, name: COMMON_NAME, description: `The ${parameter.name}.` };
}

const CALLERS: Record<Operation['scope'], string> = {
  read: 'Any token.',
  write: 'A writable token.',
  confirm: 'A writable token; an assistant asks a person first.',
  open: 'No token.',
};

function descriptionOf({ notes, scope, emits }: Operation): string {
  const events = emits.length > 0 ? `Events: ${emits.join(', ')}.` : undefined;
  return [notes, CALLERS[scope], events].filter(Boolean).join(' ');
}

function namedBody(body: NonNullable<Described['requestBody']>, id: OperationId, named: NamedSchemas): Json {
  const { schema, ...content } = body.content['application/json'];
  const whole = { name: `${pascalCase(id)}Body`, text: `What \`${id}\` takes. ${operations[id].summary}` };
  return { ...body, content: { 'application/json': { ...content, schema: named.refer(schema, whole) } } };
}

function namedAnswer(answer: Described['responses'][200], id: OperationId, named: NamedSchemas): Json {
  const name = pascalCase(id);
  const { schema, ...content } = answer.content['application/json'];
  const [{ properties, ...envelope }, failure] = schema.anyOf;
  const { data, ...head } = properties;
  const success = {
    ...envelope,
    properties: {
      ...head,
      ...(data && {
        data: named.refer(data, {
          name: `${name}AnswerData`,
          text: `What \`${id}\` answers with. ${operations[id].summary}`,
        }),
      }),
    },
  };
  const anyOf = [
    named.refer(success, { name: `${name}Answer`, text: `The envelope of a success of \`${id}\`.` }),
    failure,
  ];
  return { ...answer, content: { 'application/json': { ...content, schema: { anyOf } } } };
}
