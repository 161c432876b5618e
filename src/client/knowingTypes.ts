import type { Call, OperationId } from '../contract/index.ts';
import { apiFailure, CallError } from './callError.ts';
import type { Answer, CallOptions, Client } from './client.ts';

const OPERATION = 'listAutomationActions';
const REFUSED = 400;

/**
 * Returns a client that remembers which deployments list automation actions by their type alone: calls without a type
 * would be refused again, and failed requests have a quota of their own.
 */
export function knowingTypes(client: Client): Client {
  let refusal: string | undefined;

  async function call(operation: OperationId, input: Call<OperationId>, options: CallOptions) {
    const isUntyped = operation === OPERATION && !('type' in input);
    if (isUntyped && refusal !== undefined) throw apiFailure(OPERATION, REFUSED, refusal);
    try {
      return await client.call(operation, input, options);
    } catch (error) {
      if (isUntyped && error instanceof CallError && error.code === REFUSED)
        refusal = 'a type must be named, as it was said before';
      throw error;
    }
  }

  // As in the client itself, the operation ties its input and its answer together.
  return { call: call as <Id extends OperationId>(id: Id, input: Call<Id>, how: CallOptions) => Promise<Answer<Id>> };
}
