import { type ClientOperation, type Model, namedSchemas, nameOf, pascal } from '../model.ts';
import { comment, fieldsText, typeText } from './typeText.ts';

const HEAD = '// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.\n';

/** Returns the generated sources of the TypeScript SDK by their names. */
export function typescriptFiles(model: Model): Record<string, string> {
  return {
    'types.ts': `${HEAD}\n${typesOf(model)}`,
    'errors.ts': `${HEAD}\n${errorsOf(model)}`,
    'client.ts': `${HEAD}\n${clientOf(model)}`,
    'version.ts': `${HEAD}\n/** The version of this package, and of the service that it was made from. */\nexport const VERSION = '${model.version}';\n`,
  };
}

function typesOf(model: Model): string {
  const schemas = namedSchemas(model).map(([name, schema]) => {
    const isObject = schema.type === 'object' && schema.properties !== undefined;
    const text = isObject
      ? `export interface ${name} ${fieldsText(schema)}`
      : `export type ${name} = ${typeText(schema)};`;
    return `${comment(schema.description)}${text}\n`;
  });
  const events = model.events.map(({ schema }) => nameOf(schema.$ref ?? ''));
  return [
    ...schemas,
    ...model.operations.map(inputOf),
    `${comment('Any event that a webhook receives, told apart by `event`.')}export type StaydEvent = ${events.join(' | ')};\n`,
  ].join('\n');
}

/** Path, query and body in one. */
function inputOf({ id, parameters, body }: ClientOperation): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  const base = body ? ` extends ${typeText(body.schema)}` : '';
  return `${comment(`Input of \`${id}\`.`)}export interface ${pascal(id)}Input${base} ${fieldsText({ properties, required })}\n`;
}

function errorsOf({ errors }: Model): string {
  const classes = errors.map(
    ({ code, name, text }) => `${comment(`error_code ${code}: ${text}`)}export class ${name} extends StaydError {}\n`,
  );
  const byCode = errors.map(({ code, name }) => `  ${code}: ${name},\n`);
  return [
    `import { StaydError } from '../staydError.js';\n`,
    ...classes,
    `${comment('The class of each error_code.')}export const ERRORS: Readonly<Record<number, typeof StaydError>> = {\n${byCode.join('')}};\n`,
  ].join('\n');
}

function clientOf(model: Model): string {
  const methods = model.operations.map((operation) => `${methodOf(operation, model)}${iteratorOf(operation)}`);
  return `import { type CallOptions, Transport } from '../transport.js';
import type * as T from './types.js';

/** A client of a running stayd: one method for each operation of v3. */
export class Stayd extends Transport {
${methods.join('\n')}}
`;
}

function methodOf(operation: ClientOperation, model: Model): string {
  const { id, method, path, parameters, data, isDataOptional, isKeyed, isRead } = operation;
  const names = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => `'${name}'`);
  const parts = [
    `id: '${id}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `query: [${names('query').join(', ')}]`,
    `hasBody: ${operation.body !== undefined}`,
    `isKeyed: ${isKeyed}`,
    `isRead: ${isRead}`,
  ];
  const answer = data === undefined ? 'void' : `${qualified(typeText(data))}${isDataOptional ? ' | undefined' : ''}`;
  return `${docOf(operation)}  ${id}(${inputParameter(operation, model)}, options?: CallOptions): Promise<${answer}> {
    return this.call({ ${parts.join(', ')} }, input, options);
  }
`;
}

function iteratorOf({ id, rows, summary, parameters }: ClientOperation): string {
  if (!rows) return '';
  const isGiven = parameters.some(({ required }) => required);
  const input = `input: Omit<T.${pascal(id)}Input, 'cursor' | 'offset'>${isGiven ? '' : ' = {}'}`;
  return `
${comment(`All rows of \`${id}\`, page by page: ${summary}`, '  ')}  ${id.replace(/^list/, 'iterate')}(${input}, options?: CallOptions): AsyncGenerator<${qualified(typeText(rows.item))}, void, undefined> {
    return this.pages((page) => this.${id}({ ...input, ...page }, options), ({ ${rows.key} }) => ${rows.key});
  }
`;
}

function inputParameter({ id, parameters, body }: ClientOperation, { schemas }: Model): string {
  const needed = body?.schema.$ref ? (schemas.get(nameOf(body.schema.$ref))?.required ?? []) : [];
  const isGiven = parameters.some(({ required }) => required) || needed.length > 0;
  return `input: T.${pascal(id)}Input${isGiven ? '' : ' = {}'}`;
}

function docOf({ summary, description, method, path }: ClientOperation): string {
  const lines = [summary, description, `\`${method} /v3${path}\``].filter((line) => line !== '');
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}\n`).join('')}   */\n`;
}

/** A type that is a name stands in the file of types. */
function qualified(type: string): string {
  return /^[A-Z]\w*$/.test(type) ? `T.${type}` : type;
}
