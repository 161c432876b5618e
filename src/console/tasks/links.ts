import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import type { Download } from '../page.ts';
import type { Visit } from '../visit.ts';
import type { TasksQuestion } from './shown.ts';

const links = z.object({ staff_links: z.array(z.object({ staff_id: z.number() })) });
const photos = z.object({ photos: z.array(z.object({ photo: z.string() })) });
const picture = z.object({ content_type: z.enum(['image/jpeg', 'image/png']), base64: z.string() });

/** Reads which people have a link. */
export async function linked(visit: Visit): Promise<ReadonlySet<number>> {
  const { staff_links } = links.parse(await visit.portal('GET /portal/staff_links'));
  return new Set(staff_links.map(({ staff_id }) => staff_id));
}

/** Reads the names of the photos of a task. */
export async function photosOf(visit: Visit, task: number): Promise<readonly string[]> {
  if (task === 0) return [];
  const found = photos.parse(await visit.portal('GET /portal/tasks/:task_id/photos', { task_id: task }));
  return found.photos.map(({ photo }) => photo);
}

/** Gives a photo of a task. @throws ApiError 404 for one of a property that the person does not see */
export async function photoFile(visit: Visit, { photo }: TasksQuestion): Promise<Download> {
  if (photo === undefined || !visit.isHere) throw new ApiError(404, 'There is no such photo.');
  const { content_type, base64 } = picture.parse(await visit.portal('GET /portal/task_photos/:photo', { photo }));
  const ending = content_type === 'image/png' ? 'png' : 'jpg';
  return { type: content_type, name: `photo.${ending}`, body: Buffer.from(base64, 'base64') };
}
