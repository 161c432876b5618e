import { z } from 'zod';
import type { FormFile } from '../formFile.ts';
import { consoleAction, consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { type Brand, brandView } from './view.ts';

const brand = z.object({
  name: z.string().nullable(),
  color: z.string().nullable(),
  logo: z.object({ address: z.string(), width: z.int(), height: z.int() }).nullable(),
});
const file = z.custom<FormFile>((value) => typeof value === 'object' && value !== null && 'bytes' in value);

/** Look: the name, the color and the logo on the pages that strangers see. */
export const brandPage = consolePage({
  path: 'brand',
  right: 'brand',
  needsCore: true,
  title: (texts) => texts.brand.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'save',
      right: 'brand',
      isQuiet: true,
      hasFiles: true,
      fields: z.object({
        name: z.string().optional(),
        color: z.string().optional(),
        logo: file.optional(),
        without_logo: z.literal('1').optional(),
      }),
      async run(visit, { name, color, logo, without_logo }) {
        const base64 = logo?.bytes.toString('base64') ?? (without_logo === undefined ? undefined : null);
        const change = {
          name: name ?? null,
          color: color ?? null,
          ...(base64 !== undefined && { logo_base64: base64 }),
        };
        await visit.portal('PATCH /portal/brand', change);
        return { said: visit.texts.brand.saved };
      },
    }),
  ],
  render: async (visit) => brandView(visit, await readBrand(visit)),
});

async function readBrand(visit: Visit): Promise<Brand> {
  return brand.parse(await visit.portal('GET /portal/brand'));
}
