import { z } from 'zod';
import type { Visit } from '../visit.ts';

const places = z.object({
  places: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      shown: z.string(),
      hears: z.array(z.string()),
      quiet: z.string().nullable(),
      briefing_at: z.string().nullable(),
      state: z.string(),
      problem: z.string().nullable(),
      succeeded_at: z.string().nullable(),
    }),
  ),
});
const told = z.object({
  notices: z.array(
    z.object({
      created_at: z.string(),
      place: z.string(),
      title: z.string(),
      state: z.string(),
      problem: z.string().nullable(),
    }),
  ),
});

export type Place = z.output<typeof places>['places'][number];
export type ToldNotice = z.output<typeof told>['notices'][number];

/** Reads who is told, and what was told last. */
export async function readNotices(visit: Visit): Promise<{ places: readonly Place[]; told: readonly ToldNotice[] }> {
  const all = places.parse(await visit.portal('GET /portal/notices'));
  const { notices } = told.parse(await visit.portal('GET /portal/notices/log', { limit: 20 }));
  return { places: all.places, told: notices };
}
