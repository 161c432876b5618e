import { instantOf } from '../../../kernel/dates.ts';
import { next } from '../../../kernel/transitions.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import { Worker } from '../../../kernel/worker.ts';
import type { Core } from '../../context.ts';
import { nameSentMessage } from '../../conversations/receive.ts';
import type { ChannelPostRow, PostState } from '../../conversations/rows.ts';
import { type ChannelPost, type Posted, UnknownOutcome } from '../adapter.ts';
import { postLife } from './states.ts';
import { claimPosts, finishPost, forgetSending, waitingPost } from './table.ts';

/** Milliseconds between two polls of the table when no signal wakes the worker. */
const POLL_MS = 1_000;
const AT_ONCE = 8;
/** Characters of a channel's error that are stored. */
const PROBLEM_LENGTH = 500;

interface PosterOptions {
  core: Core;
  log: Logger;
  /** true: one process owns the database, so a post that an earlier process was sending no longer gets an outcome. */
  alone: boolean;
}

/**
 * Sends the operator's messages, offers and withdrawals to channels. Each post is made at most once, because a guest
 * must not read a message twice: it is marked as sending before the channel is called, and a post that a crash cut off
 * remains `unknown`.
 */
export function postWorker(options: PosterOptions): Worker {
  const { core, log, alone } = options;
  const { store, clock } = core;
  return new Worker({
    clock,
    log,
    name: 'telling channels',
    everyMs: POLL_MS,
    async prepare() {
      if (alone) await forgetSending(store.db, instantOf(clock.now()));
    },
    async round() {
      if ((await waitingPost(store.db, {})).length === 0) return undefined;
      const posts = await store.transaction((trx) => claimPosts(trx, AT_ONCE));
      await Promise.all(posts.map((post) => send(options, post)));
      return posts.length > 0 ? 0 : undefined;
    },
  });
}

async function send({ core, log }: PosterOptions, post: ChannelPostRow): Promise<void> {
  const payload = JSON.parse(post.payload) as ChannelPost;
  const { state, problem, posted } = await call(core, post, payload);
  if (problem !== null)
    log.warn({ post: post.id, channel: post.channel_type, problem }, 'a channel did not receive a post');
  await core.store.transaction(async (trx) => {
    const at = instantOf(core.clock.now());
    await finishPost(trx, { accountId: post.account_id, id: post.id, state, problem, at });
    if (payload.kind === 'message' && posted?.channel_message_id !== undefined) {
      await nameSentMessage(trx, post.account_id, payload.message_id, posted.channel_message_id);
    }
  });
}

async function call(
  { channels }: Core,
  { channel_type: channelType, account_id }: ChannelPostRow,
  payload: ChannelPost,
): Promise<{ state: PostState; problem: string | null; posted?: Posted }> {
  const posts = channels.get(channelType)?.posts;
  if (!posts) return { state: next(postLife, 'sending', 'fail'), problem: `nothing leads to ${channelType}` };
  try {
    return {
      state: next(postLife, 'sending', 'succeed'),
      problem: null,
      posted: await posts.post(payload, account_id),
    };
  } catch (error) {
    const trigger = error instanceof UnknownOutcome ? 'lose' : 'fail';
    return { state: next(postLife, 'sending', trigger), problem: messageOf(error).slice(0, PROBLEM_LENGTH) };
  }
}
