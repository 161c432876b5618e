import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IN8nHttpFullResponse,
  type IWebhookFunctions,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  sleep,
} from 'n8n-workflow';

type Functions = IExecuteFunctions | IHookFunctions | IWebhookFunctions;

const SUCCESSES: ReadonlySet<unknown> = new Set([200, 0]);
const RATE_LIMITED = 429;
const MAX_RETRIES = 3;
const LONGEST_WAIT_SECONDS = 60;
const PAGE_ROWS = 100;

/** A request of v3. */
export interface StaydRequest {
  method: IHttpRequestMethods;
  /** Behind `/v3`. */
  path: string;
  qs?: IDataObject;
  body?: IDataObject;
  /** The item that the request is for. */
  itemIndex?: number;
  /** false: a limit is thrown at once. */
  isPatient?: boolean;
}

/**
 * Sends a request and returns the data of its answer. A limit is waited for, as long as the answer says.
 * @throws NodeApiError with the `error_code` of the envelope, which comes with HTTP status 200
 */
export async function staydRequest(functions: Functions, request: StaydRequest): Promise<IDataObject> {
  const { method, path, qs = {}, body, itemIndex = 0, isPatient = true } = request;
  const { baseUrl } = await functions.getCredentials<{ baseUrl: string }>('staydApi', itemIndex);
  for (let attempt = 0; ; attempt += 1) {
    const response: IN8nHttpFullResponse = await functions.helpers.httpRequestWithAuthentication.call(
      functions,
      'staydApi',
      {
        method,
        url: `${baseUrl.replace(/\/+$/, '')}/v3${path}`,
        qs,
        ...(body && { body }),
        json: true,
        disableFollowRedirect: true,
        ignoreHttpStatusErrors: true,
        returnFullResponse: true,
      },
    );
    const envelope = (response.body ?? {}) as IDataObject;
    const code = typeof envelope === 'object' ? envelope.error_code : undefined;
    if (SUCCESSES.has(code)) return (envelope.data ?? {}) as IDataObject;
    const seconds = Number(response.headers['retry-after'] ?? 2 ** attempt);
    const mayWait = isPatient && attempt < MAX_RETRIES && seconds <= LONGEST_WAIT_SECONDS;
    if (code !== RATE_LIMITED || !mayWait) throw failureOf(functions, response, itemIndex);
    await sleep(seconds * 1_000);
  }
}

/** Reads a list up to a number of rows, or to its end. */
export async function staydRows(
  functions: Functions,
  request: StaydRequest,
  key: string,
  limit: number,
): Promise<IDataObject[]> {
  const rows: IDataObject[] = [];
  let cursor: unknown = 'start';
  while (typeof cursor === 'string' && rows.length < limit) {
    const page = { limit: Math.min(PAGE_ROWS, limit - rows.length), cursor };
    const data = await staydRequest(functions, { ...request, qs: { ...request.qs, ...page } });
    rows.push(...(data[key] as IDataObject[]));
    cursor = data.next_cursor;
  }
  return rows;
}

function failureOf(functions: Functions, response: IN8nHttpFullResponse, itemIndex: number): NodeApiError {
  const envelope = (typeof response.body === 'object' ? response.body : {}) as JsonObject;
  const code = envelope.error_code ?? response.statusCode;
  const message = typeof envelope.error_msg === 'string' ? envelope.error_msg : 'The service gave no envelope';
  return new NodeApiError(functions.getNode(), envelope, {
    message: `${code}: ${message}`,
    description: `Request ${String(envelope.request_id ?? 'without an id')}`,
    httpCode: String(code),
    itemIndex,
  });
}

/** Returns an error as n8n shows it. */
export function nodeErrorOf(functions: Functions, error: unknown, itemIndex = 0): Error {
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(functions.getNode(), error as Error, { itemIndex });
}
