import { type Call, type OperationId, operations } from '../contract/index.ts';
import type { Profile } from '../contract/dialect/profile.ts';
import { apiFailure, CallError } from './callError.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import type { Fields } from './fields.ts';
import { dataReader } from './readData.ts';

/** What is known of an account where upstream has no operation to tell it. */
export interface KnownAccount {
  readonly account_id: string;
  readonly name: string;
  /** null: not known. */
  readonly time_zone: string | null;
  readonly currency: string | null;
}

/** Of an account of which nothing is known: it goes by the name of the connection. */
export function unknownAccount(connection: string): KnownAccount {
  return { account_id: connection, name: connection, time_zone: null, currency: null };
}

const NOT_FOUND = 404;

/**
 * A client that never asks for what the profile says is not there, and that knows the account itself where upstream does
 * not tell it: the token is proved by a list then, as whoever asks for the account relies on.
 */
export function knowingAccount(client: Client, profile: Profile, account: KnownAccount): Client {
  let isUntold = profile.absent.includes('getAccount');
  const reader = dataReader(operations.getAccount);

  async function askedOtherwise(options: CallOptions) {
    await client.call('listProperties', { offset: 0, limit: 1 }, options);
    const known: Fields = { ...account };
    return reader.read(known);
  }

  async function call(operation: OperationId, input: Call<OperationId>, options: CallOptions) {
    if (operation === 'getAccount' && isUntold) return askedOtherwise(options);
    if (profile.absent.includes(operation)) {
      throw apiFailure(operation, NOT_FOUND, 'the profile says that this deployment has no such operation');
    }
    try {
      return await client.call(operation, input, options);
    } catch (error) {
      if (operation !== 'getAccount' || !(error instanceof CallError) || error.code !== NOT_FOUND) throw error;
      // It will not be there the next time either, and failed requests have a quota of their own.
      isUntold = true;
      return askedOtherwise(options);
    }
  }

  // As in the client itself: the operation ties its input and its answer together.
  return { call: call as <Id extends OperationId>(id: Id, input: Call<Id>, how: CallOptions) => Promise<Answer<Id>> };
}
