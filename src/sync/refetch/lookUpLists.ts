import { apply } from '../apply/apply.ts';
import type { DirtyKey } from '../queue/dirtyKeys.ts';
import type { LookUpContext } from './lookUpContext.ts';
import type { FailedKey } from './lookUpDays.ts';
import type { MirrorResource, WholeList } from '../tables/rows/resource.ts';

/**
 * Reads the lists that would contain these keys: one request for each list, however many keys it serves.
 * @returns the keys that could not be read
 */
export async function lookUpLists(
  context: LookUpContext,
  resource: MirrorResource,
  dirty: readonly DirtyKey[],
): Promise<FailedKey[]> {
  const failed: FailedKey[] = [];
  for (const list of resource.lists ?? []) {
    const wanted = dirty.filter((row) => list.holds(row.key));
    try {
      await readList(context, resource, list, wanted);
    } catch (error) {
      failed.push(...wanted.map((one) => ({ dirty: one, error })));
    }
  }
  return failed;
}

async function readList(
  context: LookUpContext,
  resource: MirrorResource,
  list: WholeList,
  wanted: readonly DirtyKey[],
): Promise<void> {
  const [first] = wanted;
  if (!first) return;
  const { client, signal } = context;
  let number = 0;
  const beforeSend = async () => {
    number = await context.numbers.take();
  };
  const reading = context.reading();
  const page = await list.read(client, reading, { purpose: 'lookup', signal, beforeSend });
  const keys = wanted.map((row) => row.key);
  const release = { by: context.by, keys };
  await apply(context, { resource, page, number, origin: first.origin, whole: keys, release });
}
