import type { ClientOperation, Model, Parameter } from '../model.ts';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Checks that stand at the collection: every request must be answered by an envelope that says 200. */
const CHECKS = [
  "pm.test('HTTP 200', () => pm.response.to.have.status(200));",
  "pm.test('error_code 200', () => pm.expect(pm.response.json().error_code).to.equal(200));",
];

/** Returns the operations as a Postman collection: a folder for each resource, with the examples of the document. */
export function postmanCollection({ operations, tags, version }: Model) {
  return {
    info: {
      name: `stayd v3 (${version})`,
      description:
        'All operations of v3. Set the variables baseUrl (http://127.0.0.1:8484) and token (./stayd token create). Every ' +
        'answer has HTTP status 200 and says in error_code how it went: 200 is success.',
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Service-Access-Token', type: 'string' },
        { key: 'value', value: '{{token}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8484', type: 'string' },
      { key: 'token', value: '', type: 'string' },
    ],
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: CHECKS } }],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tag }) => tag === name).map(itemOf),
    })),
  };
}

function itemOf(operation: ClientOperation) {
  const request = requestOf(operation);
  const answers = Object.values(operation.examples).map(({ summary, value }) => ({
    name: summary,
    originalRequest: request,
    status: 'OK',
    code: 200,
    _postman_previewlanguage: 'json',
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: JSON.stringify(value, null, 2),
  }));
  return { name: operation.id, request, response: answers };
}

function requestOf({ method, path, summary, description, parameters, body, isOpen }: ClientOperation) {
  const within = (where: Parameter['in']) => parameters.filter((one) => one.in === where);
  const query = within('query').map((one) => ({
    key: one.name,
    value: exampleOf(one),
    ...(one.description && { description: one.description }),
    // Filters without an example are there to be switched on.
    ...(!one.required && one.example === undefined && { disabled: true }),
  }));
  const variable = within('path').map((one) => ({ key: one.name, value: exampleOf(one) }));
  const segments = ['v3', ...path.slice(1).split('/')].map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  const asked = query
    .filter((one) => !('disabled' in one))
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    method,
    description: [summary, description].filter((text) => text !== '').join('\n\n'),
    ...(isOpen && { auth: { type: 'noauth' } }),
    header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
    ...(body && {
      body: {
        mode: 'raw',
        raw: JSON.stringify(body.example, null, 2),
        options: { raw: { language: 'json' } },
      },
    }),
    url: {
      raw: `{{baseUrl}}/${segments.join('/')}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
      host: ['{{baseUrl}}'],
      path: segments,
      ...(query.length > 0 && { query }),
      ...(variable.length > 0 && { variable }),
    },
  };
}

function exampleOf({ example, schema }: Parameter): string {
  const value = example ?? schema.default ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
