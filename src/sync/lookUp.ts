import { CallError } from '../client/callError.ts';
import type { Client } from '../client/client.ts';
import { instantOf } from '../kernel/dates.ts';
import { apply, type Applied, type ApplyContext } from './apply.ts';
import type { DirtyKey } from './dirtyKeys.ts';
import type { MirrorResource, Page } from './mirror/resource.ts';
import type { ReadNumbers } from './readNumbers.ts';
import { UnfitAnswer } from './unfitAnswer.ts';

/** When to look again at a key that was found unchanged right after an event: the change may not show yet. */
const SETTLE_MS = 1_000;

export interface LookUpContext extends ApplyContext {
  client: Client;
  numbers: ReadNumbers;
  /** The time zone of the account, for moments without an offset. */
  zone(): string;
  signal: AbortSignal;
}

/** Reads everything under one dirty key and applies it; a key that is gone upstream becomes a tombstone. */
export async function lookUp(context: LookUpContext, resource: MirrorResource, dirty: DirtyKey): Promise<Applied> {
  const { client, connection, clock, signal } = context;
  let number: number | undefined;
  const beforeSend = async () => {
    // Of an answer in several pages the first one's: nothing in it is older.
    number ??= await context.numbers.take();
  };
  const reading = { connection, zone: context.zone() };
  if (!resource.lookUp) throw new Error(`a ${resource.name} cannot be looked up`);
  const page = await orGone(resource.lookUp(client, reading, dirty.key, { purpose: 'lookup', signal, beforeSend }));
  const settleAt = instantOf(clock.now() + SETTLE_MS);
  const applied = await apply(context, {
    resource,
    page,
    number: number ?? 0,
    origin: dirty.origin,
    whole: [dirty.key],
    settleAt,
  });
  const [unfit] = page.unfit;
  if (unfit) throw new UnfitAnswer(`${unfit.key}: ${unfit.problem}`);
  return applied;
}

const goneUpstream: Page = { rows: [], unfit: [] };

async function orGone(answer: Promise<Page>): Promise<Page> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CallError && error.code === 404) return goneUpstream;
    throw error;
  }
}
