import { type ClientOperation, type Model, namedSchemas, nameOf, type Schema } from '../model.ts';
import { docstring, snake, typeText } from './typeText.ts';

const HEAD = '# Made by `npm run integrations` from the OpenAPI document; do not change it by hand.\n';
const TYPING = 'from __future__ import annotations\n';

/** Returns the generated modules of the Python SDK by their names. */
export function pythonFiles(model: Model): Record<string, string> {
  return {
    '__init__.py': HEAD,
    'types.py': `${HEAD}${TYPING}\n${typesOf(model)}`,
    'errors.py': `${HEAD}${TYPING}\n${errorsOf(model)}`,
    'operations.py': `${HEAD}${TYPING}\n${operationsOf(model)}`,
    'version.py': `${HEAD}VERSION = "${model.version}"\n`,
  };
}

function typesOf(model: Model): string {
  const named = namedSchemas(model);
  const isObject = ({ type, properties }: Schema) => type === 'object' && properties !== undefined;
  const classes = named.filter(([, schema]) => isObject(schema)).map(([name, schema]) => classOf(name, schema));
  // An alias is evaluated when it is read, so it stands behind the classes that it names.
  const aliases = named
    .filter(([, schema]) => !isObject(schema))
    .map(([name, schema]) => `${name} = ${typeText(schema)}\n`);
  const events = model.events.map(({ schema }) => nameOf(schema.$ref ?? ''));
  return [
    'from typing import Any, Literal, NotRequired, TypedDict, Union\n',
    ...classes,
    ...aliases,
    `StaydEvent = Union[${events.join(', ')}]\n"""Any event that a webhook receives, told apart by \`event\`."""\n`,
  ].join('\n\n');
}

function classOf(name: string, { description, properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = typeText(schema);
    const text = schema.description ? `${docstring(schema.description, '    ')}` : '';
    return `    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}\n${text}`;
  });
  const body = [description ? docstring(description, '    ') : '', ...fields].join('');
  return `class ${name}(TypedDict):\n${body || '    pass\n'}`;
}

function errorsOf({ errors }: Model): string {
  const classes = errors.map(
    ({ code, name, text }) => `class ${name}(StaydError):\n${docstring(`error_code ${code}: ${text}`, '    ')}`,
  );
  const byCode = errors.map(({ code, name }) => `    ${code}: ${name},\n`).join('');
  return [
    'from ..errors import StaydError\n',
    ...classes,
    `ERRORS: dict[int, type[StaydError]] = {\n${byCode}}\n`,
  ].join('\n\n');
}

function operationsOf(model: Model): string {
  const methods = model.operations.map((operation) => methodOf(operation, model) + iteratorOf(operation));
  return `from typing import Any, Iterator, Literal

from ..transport import LEFT_OUT, LeftOut, Operation, Transport
from . import types as t


class Operations(Transport):
    """One method for each operation of v3."""

${methods.join('\n')}`;
}

interface Argument {
  name: string;
  type: string;
  isRequired: boolean;
}

/** Path, query and body in one, what is required first. */
function argumentsOf({ parameters, body }: ClientOperation, { schemas }: Model): Argument[] {
  const { properties = {}, required = [] } = body?.schema.$ref ? (schemas.get(nameOf(body.schema.$ref)) ?? {}) : {};
  const all = [
    ...parameters.map(({ name, schema, required: isRequired }) => ({ name, type: qualified(schema), isRequired })),
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      type: qualified(schema),
      isRequired: required.includes(name),
    })),
  ];
  return [...all.filter(({ isRequired }) => isRequired), ...all.filter(({ isRequired }) => !isRequired)];
}

function methodOf(operation: ClientOperation, model: Model): string {
  const { id, method, path, parameters, data, isDataOptional, isKeyed, isRead } = operation;
  const given = argumentsOf(operation, model);
  const query = parameters.filter((one) => one.in === 'query').map(({ name }) => `"${name}", `);
  const truth = (value: boolean) => (value ? 'True' : 'False');
  const answer = data === undefined ? 'None' : `${qualified(data)}${isDataOptional ? ' | None' : ''}`;
  const parts = [
    `"${id}", "${method}", "${path}", (${query.join('')})`,
    `has_body=${truth(operation.body !== undefined)}, is_keyed=${truth(isKeyed)}, is_read=${truth(isRead)}`,
  ];
  const key = isKeyed ? [{ name: 'idempotency_key', type: 'str', isRequired: false }] : [];
  const sent = given.map(({ name }) => `"${name}": ${name}, `).join('');
  const call = `self._call(operation, {${sent.replace(/, $/, '')}}${isKeyed ? ', idempotency_key' : ''})`;
  return `    def ${snake(id)}(self${signatureOf([...given, ...key])}) -> ${answer}:
${docOf(operation)}        operation = Operation(${parts.join(', ')})
        ${data === undefined ? call : `answer: ${answer} = ${call}\n        return answer`}
`;
}

function iteratorOf(operation: ClientOperation): string {
  const { id, rows, parameters, summary } = operation;
  if (!rows) return '';
  const kept = parameters.filter(({ name }) => !PAGING.has(name));
  const given = kept.map(({ name, schema, required }) => ({ name, type: qualified(schema), isRequired: required }));
  const ordered = [...given.filter(({ isRequired }) => isRequired), ...given.filter(({ isRequired }) => !isRequired)];
  const sent = ordered.map(({ name }) => `"${name}": ${name}`).join(', ');
  return `
    def ${snake(id).replace(/^list/, 'iterate')}(self${signatureOf(ordered)}) -> Iterator[${qualified(rows.item)}]:
${docstring(`All rows of \`${snake(id)}\`, page by page: ${summary}`, '        ')}        return self._pages(self.${snake(id)}, {${sent}}, "${rows.key}")
`;
}

const PAGING = new Set(['cursor', 'offset', 'limit']);

function signatureOf(given: readonly Argument[]): string {
  if (given.length === 0) return '';
  const texts = given.map(({ name, type, isRequired }) =>
    isRequired ? `${name}: ${type}` : `${name}: ${type} | LeftOut = LEFT_OUT`,
  );
  return `, *, ${texts.join(', ')}`;
}

function docOf({ summary, description, method, path }: ClientOperation): string {
  return docstring(
    [summary, description, `\`${method} /v3${path}\``].filter((line) => line !== '').join('\n\n'),
    '        ',
  );
}

function qualified(schema: Schema): string {
  return typeText(schema, 't.');
}
