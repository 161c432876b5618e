import type { IHttpRequestMethods, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A field of a request, as n8n asks for it. */
export interface OfferedField {
  name: string;
  displayName: string;
  description: string;
  where: string;
  required: boolean;
  type: string;
  default?: unknown;
  options?: ReadonlyArray<{ name: string; value: unknown }>;
}

/** An operation of v3 that the node offers. */
export interface OfferedOperation {
  resource: string;
  operation: string;
  name: string;
  action: string;
  description: string;
  id: string;
  method: string;
  path: string;
  hasBody: boolean;
  /** true: a list that is read by cursor. */
  isPaged: boolean;
  /** The key of the rows that become items; null: the whole data is one item. */
  rows: string | null;
  fields: readonly OfferedField[];
}

/** Returns the method of an operation. */
export function methodOf({ method }: OfferedOperation): IHttpRequestMethods {
  return method as IHttpRequestMethods;
}

/** The name under which the optional fields of an operation stand. */
export const MORE = 'additionalFields';

/** Returns the lists of resources and operations, and the fields of each operation. */
export function propertiesOf(operations: readonly OfferedOperation[]): INodeProperties[] {
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  return [
    {
      displayName: 'Resource',
      name: 'resource',
      type: 'options',
      noDataExpression: true,
      options: resources.map((value) => ({ name: titled(value), value })),
      default: 'reservation',
    },
    ...resources.map((resource) => operationsOf(resource, operations)),
    ...operations.flatMap(fieldsOf),
  ];
}

function operationsOf(resource: string, operations: readonly OfferedOperation[]): INodeProperties {
  const own = operations.filter((one) => one.resource === resource);
  const options = own.map(({ name, operation, action, description }) => ({
    name,
    value: operation,
    action,
    description,
  }));
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    options: options.sort((a, b) => a.name.localeCompare(b.name)),
    default: own.find(({ operation }) => operation === 'getAll')?.operation ?? own[0]?.operation ?? '',
  };
}

function fieldsOf(offered: OfferedOperation): INodeProperties[] {
  const displayOptions = { show: { resource: [offered.resource], operation: [offered.operation] } };
  const required = offered.fields.filter((field) => field.required);
  const optional = offered.fields.filter((field) => !field.required);
  const paging: INodeProperties[] = [
    {
      displayName: 'Return All',
      name: 'returnAll',
      type: 'boolean',
      default: false,
      displayOptions,
      description: 'Whether to return all results or only up to a given limit',
    },
    {
      displayName: 'Limit',
      name: 'limit',
      type: 'number',
      typeOptions: { minValue: 1 },
      default: 50,
      displayOptions: { show: { ...displayOptions.show, returnAll: [false] } },
      description: 'Max number of results to return',
    },
  ];
  const more: INodeProperties = {
    displayName: offered.method === 'GET' ? 'Filters' : 'Additional Fields',
    name: MORE,
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions,
    options: optional.map((field) => propertyOf(field)),
  };
  return [
    ...required.map((field) => ({ ...propertyOf(field), required: true, displayOptions })),
    ...(offered.isPaged ? paging : []),
    ...(optional.length > 0 ? [more] : []),
  ];
}

function propertyOf({ name, displayName, description, type, default: given, options }: OfferedField): INodeProperties {
  return {
    displayName,
    name,
    type: type as INodeProperties['type'],
    default: given as INodeProperties['default'],
    description,
    ...(options && { options: options as INodePropertyOptions[] }),
  };
}

function titled(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
