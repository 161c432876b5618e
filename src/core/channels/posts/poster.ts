import type { Timer } from '../../../kernel/clock.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { next } from '../../../kernel/transitions.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { Logger } from '../../../kernel/log.ts';
import type { Core } from '../../context.ts';
import { nameSentMessage } from '../../conversations/receive.ts';
import type { ChannelPostRow, PostState } from '../../conversations/rows.ts';
import type { ChannelPost, Posted } from '../adapter.ts';
import { postLife } from './states.ts';
import { claimPosts, finishPost, forgetSending, waitingPost } from './table.ts';

/** Milliseconds between two polls of the table when no signal wakes the worker. */
const POLL_MS = 1_000;
const AT_ONCE = 8;
/** Characters of a channel's error that are stored. */
const PROBLEM_LENGTH = 500;

export interface PosterOptions {
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
export class Poster {
  readonly #options: PosterOptions;
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = true;
  #timer: Timer | undefined;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { core, alone } = this.#options;
    if (alone) await forgetSending(core.store.db, instantOf(core.clock.now()));
    this.#stopped = false;
    this.wake();
  }

  /** Looks for waiting posts now. Cheap to call often. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Takes no new posts. Resolves when every post in progress has its outcome. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { core, log } = this.#options;
    try {
      while (this.#again && !this.#stopped) {
        this.#again = false;
        if ((await waitingPost(core.store.db, {})).length === 0) continue;
        const posts = await core.store.transaction((trx) => claimPosts(trx, AT_ONCE));
        await Promise.all(posts.map((post) => this.#post(post)));
        if (posts.length > 0) this.#again = true;
      }
    } catch (error) {
      log.error({ err: error }, 'telling channels failed; trying again shortly');
    }
    this.#running = undefined;
    this.#timer?.cancel();
    if (!this.#stopped) this.#timer = core.clock.setTimer(POLL_MS, () => this.wake());
  }

  async #post(post: ChannelPostRow): Promise<void> {
    const { core, log } = this.#options;
    const payload = JSON.parse(post.payload) as ChannelPost;
    const { state, problem, posted } = await this.#call(post.channel_type, payload);
    if (problem !== null) log.warn({ post: post.id, channel: post.channel_type, problem }, 'a channel was not told');
    await core.store.transaction(async (trx) => {
      const at = instantOf(core.clock.now());
      await finishPost(trx, { accountId: post.account_id, id: post.id, state, problem, at });
      if (payload.kind === 'message' && posted?.channel_message_id !== undefined) {
        await nameSentMessage(trx, post.account_id, payload.message_id, posted.channel_message_id);
      }
    });
  }

  async #call(
    channelType: string,
    payload: ChannelPost,
  ): Promise<{ state: PostState; problem: string | null; posted?: Posted }> {
    const posts = this.#options.core.channels.get(channelType)?.posts;
    if (!posts) return { state: next(postLife, 'sending', 'fail'), problem: `nothing leads to ${channelType}` };
    try {
      return { state: next(postLife, 'sending', 'succeed'), problem: null, posted: await posts.post(payload) };
    } catch (error) {
      return { state: next(postLife, 'sending', 'fail'), problem: messageOf(error).slice(0, PROBLEM_LENGTH) };
    }
  }
}
