import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { next, sourcesOf } from '../../../kernel/transitions.ts';
import { postLife } from './states.ts';
import { forUpdateSkipLocked } from '../../../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { ChannelPostRow, PostState } from '../../conversations/rows.ts';
import type { CoreDb, CoreTransaction } from '../../database.ts';

type NewPost = Pick<ChannelPostRow, 'account_id' | 'channel_type' | 'lane' | 'payload' | 'created_at'>;

export async function addPost(trx: CoreTransaction, draft: NewPost): Promise<void> {
  const id = await nextIds(trx, 'channel_posts');
  await insertMany(trx, 'channel_posts', [
    { ...draft, id, state: next(postLife, null, 'add'), problem: null, finished_at: null },
  ]);
}

/** Claims the oldest post of each lane that has none in progress. The commit is the claim. */
export async function claimPosts(trx: CoreTransaction, limit: number): Promise<ChannelPostRow[]> {
  const posts = await firstPosts(trx, { limit });
  const ids = posts.map((post) => post.id);
  if (ids.length > 0) {
    await trx
      .updateTable('channel_posts')
      .set({ state: next(postLife, 'waiting', 'claim') })
      .where((where) => inList(where.ref('id'), ids))
      .execute();
  }
  return posts;
}

/** Returns an unclaimed post, due or not. It is asked every second, so it uses no transaction. */
export const waitingPost = prepared((db: CoreDb, _arg: object) =>
  db.selectFrom('channel_posts').select('id').where('state', '=', 'waiting').limit(1),
);

const firstPosts = prepared((trx: CoreDb, arg: { limit: number }) =>
  forUpdateSkipLocked(
    trx
      .selectFrom('channel_posts')
      .selectAll()
      .where('state', '=', 'waiting')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('channel_posts as earlier')
              .whereRef('earlier.account_id', '=', 'channel_posts.account_id')
              .whereRef('earlier.lane', '=', 'channel_posts.lane')
              .whereRef('earlier.id', '<', 'channel_posts.id')
              .where('earlier.state', 'in', ['waiting', 'sending'])
              .select('earlier.id'),
          ),
        ),
      )
      .orderBy('id')
      .limit(arg.limit),
  ),
);

export async function finishPost(
  trx: CoreTransaction,
  post: { accountId: AccountId; id: number; state: PostState; problem: string | null; at: Instant },
): Promise<void> {
  await trx
    .updateTable('channel_posts')
    .set({ state: post.state, problem: post.problem, finished_at: post.at })
    .where('account_id', '=', post.accountId)
    .where('id', '=', post.id)
    .execute();
}

/** Closes posts that an earlier process was sending: it is unknown whether the channel has them. */
export function forgetSending(db: CoreDb, at: Instant): Promise<void> {
  return forget(db, 'lose', { problem: 'the process ended while it was being sent', at });
}

/** Closes posts that a backup holds as open: it is unknown whether the channel has received them since. */
export function forgetOpen(trx: CoreTransaction, at: Instant): Promise<void> {
  return forget(trx, 'restore', { problem: 'a backup from before it was sent was restored', at });
}

async function forget(
  db: CoreDb | CoreTransaction,
  trigger: 'lose' | 'restore',
  { problem, at }: { problem: string; at: Instant },
): Promise<void> {
  await db
    .updateTable('channel_posts')
    .set({ state: next(postLife, 'sending', trigger), problem, finished_at: at })
    .where('state', 'in', sourcesOf(postLife, trigger))
    .execute();
}
