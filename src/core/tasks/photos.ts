import { ApiError, invalid } from '../../kernel/errors.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import type { TaskPhotoRow } from '../workTables.ts';
import { MOST_PIXELS, type Picture, readPicture } from '../pictures/picture.ts';

/** Most bytes of a photo. */
export const PHOTO_BYTES = 8 * 1_048_576;
/** Photos that one person adds within a day. */
const MOST_A_DAY = 40;
const DAY_MS = 86_400_000;
const NAME_BYTES = 24;

/** Checks what a photo is by its content, and takes out all that is no picture. @throws ApiError 422 with the reason */
export function requirePhoto(bytes: Buffer): Picture {
  if (bytes.length > PHOTO_BYTES) throw invalid('photo', 'must have at most 8 MB');
  const picture = readPicture(bytes);
  if (!picture) throw invalid('photo', 'must be a whole JPEG or PNG picture');
  if (picture.width * picture.height > MOST_PIXELS) throw invalid('photo', 'must have at most 100 megapixels');
  return picture;
}

/** Adds a photo to a task. @throws ApiError 429 for more than one person makes in a day */
export async function addPhoto(
  { trx, core, account, now }: Change,
  of: { taskId: number; staffId: number },
  photo: Picture,
): Promise<void> {
  const { count } = await trx
    .selectFrom('task_photos')
    .where('account_id', '=', account.account_id)
    .where('staff_id', '=', of.staffId)
    .where('created_at', '>', instantOf(now - DAY_MS))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_A_DAY) throw new ApiError(429, `photo: at most ${MOST_A_DAY} can be sent in a day`);
  const row: TaskPhotoRow = {
    account_id: account.account_id,
    photo: core.random.bytes(NAME_BYTES).toString('base64url'),
    task_id: of.taskId,
    staff_id: of.staffId,
    content_type: photo.contentType,
    created_at: instantOf(now),
    base64: photo.bytes.toString('base64'),
  };
  await trx.insertInto('task_photos').values(row).execute();
}

/** Lists the photos of a task, the oldest first. */
export function photosOf(db: CoreDb, accountId: AccountId, taskId: number) {
  return db
    .selectFrom('task_photos')
    .innerJoin('tasks', (join) =>
      join.onRef('tasks.account_id', '=', 'task_photos.account_id').onRef('tasks.id', '=', 'task_photos.task_id'),
    )
    .where('task_photos.account_id', '=', accountId)
    .where('task_photos.task_id', '=', taskId)
    .select(['task_photos.photo', 'task_photos.content_type', 'task_photos.created_at', 'tasks.property_id'])
    .orderBy('task_photos.created_at')
    .orderBy('task_photos.photo')
    .execute();
}

/** Returns a photo, and the property of its task. */
export function photoOf(db: CoreDb, accountId: AccountId, photo: string) {
  return db
    .selectFrom('task_photos')
    .innerJoin('tasks', (join) =>
      join.onRef('tasks.account_id', '=', 'task_photos.account_id').onRef('tasks.id', '=', 'task_photos.task_id'),
    )
    .where('task_photos.account_id', '=', accountId)
    .where('task_photos.photo', '=', photo)
    .select(['task_photos.content_type', 'task_photos.base64', 'tasks.property_id'])
    .executeTakeFirst();
}

/** Removes the photos of a task that goes. */
export async function dropPhotos(trx: CoreTransaction, accountId: AccountId, taskId: number): Promise<void> {
  await trx.deleteFrom('task_photos').where('account_id', '=', accountId).where('task_id', '=', taskId).execute();
}
