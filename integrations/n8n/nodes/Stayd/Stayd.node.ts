import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { OPERATIONS } from './generated';
import { methodOf, MORE, type OfferedField, type OfferedOperation, propertiesOf } from './operation';
import { nodeErrorOf, staydRequest, staydRows } from './request';

/** Reads and changes what a stayd manages. */
export class Stayd implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Stayd',
    name: 'stayd',
    icon: { light: 'file:stayd.svg', dark: 'file:stayd.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Reads and changes reservations, calendars, messages and more',
    defaults: { name: 'Stayd' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'staydApi', required: true }],
    properties: propertiesOf(OPERATIONS),
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (const [itemIndex] of this.getInputData().entries()) {
      try {
        const rows = await rowsFor(this, itemIndex);
        results.push(...rows.map((json) => ({ json, pairedItem: { item: itemIndex } })));
      } catch (error) {
        if (!this.continueOnFail()) throw nodeErrorOf(this, error, itemIndex);
        results.push({ json: { error: (error as Error).message }, pairedItem: { item: itemIndex } });
      }
    }
    return [results];
  }
}

async function rowsFor(functions: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const resource = functions.getNodeParameter('resource', itemIndex);
  const operation = functions.getNodeParameter('operation', itemIndex);
  const offered = OPERATIONS.find((one) => one.resource === resource && one.operation === operation);
  if (!offered) {
    throw new NodeOperationError(functions.getNode(), `No operation ${operation} of ${resource}`, { itemIndex });
  }
  const given = givenTo(functions, offered, itemIndex);
  const within = (where: string): IDataObject =>
    Object.fromEntries(given.filter(([field]) => field.where === where).map(([{ name }, value]) => [name, value]));
  const named = within('path');
  const request = {
    method: methodOf(offered),
    path: offered.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named[name]))),
    qs: within('query'),
    ...(offered.hasBody && { body: within('body') }),
    itemIndex,
  };
  const { rows, isPaged } = offered;
  if (rows !== null && isPaged) {
    const returnAll = functions.getNodeParameter('returnAll', itemIndex) as boolean;
    const limit = returnAll ? Number.POSITIVE_INFINITY : (functions.getNodeParameter('limit', itemIndex) as number);
    return await staydRows(functions, request, rows, limit);
  }
  const data = await staydRequest(functions, request);
  if (rows !== null) return data[rows] as IDataObject[];
  return [Object.keys(data).length === 0 ? { success: true } : data];
}

type Given = [field: OfferedField, value: IDataObject[string]];

/** Fields that were filled in: all that are required, and those that were added. */
function givenTo(functions: IExecuteFunctions, { fields }: OfferedOperation, itemIndex: number): Given[] {
  const more = functions.getNodeParameter(MORE, itemIndex, {}) as IDataObject;
  return fields.flatMap((field): Given[] => {
    const value = field.required ? functions.getNodeParameter(field.name, itemIndex) : more[field.name];
    if (value === undefined) return [];
    return [[field, parsed(functions, field, value as IDataObject[string], itemIndex)]];
  });
}

function parsed(
  functions: IExecuteFunctions,
  field: OfferedField,
  value: IDataObject[string],
  itemIndex: number,
): IDataObject[string] {
  if (field.type !== 'json' || typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as IDataObject;
  } catch {
    throw new NodeOperationError(functions.getNode(), `${field.displayName} is no JSON`, { itemIndex });
  }
}
