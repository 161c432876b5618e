import { z } from 'zod';
import { type BrandDraft, changeBrand, LOGO_BYTES, readBrand } from '../../core/brands/brand.ts';
import { invalid } from '../../kernel/errors.ts';
import { portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const account = z.string().min(1).optional();
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Signs of base64 for the largest logo, and some more, so that one that is too large is refused in words. */
const MOST_SIGNS = LOGO_BYTES * 2;

/** How the account looks on the pages that strangers see: the name, the colour and the logo. */
export const brandRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/brand',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { account_id } = await accountOf(services, caller, input.account);
      return readBrand(services.core.store.db, account_id);
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/brand',
    access: 'write',
    input: z.object({
      account,
      name: z.string().max(400).nullable().optional(),
      color: z.string().max(20).nullable().optional(),
      logo_base64: z.string().max(MOST_SIGNS).nullable().optional(),
    }),
    run: async ({ services, caller, input: { account: named, logo_base64, ...draft } }) => {
      requireMain(caller);
      const owner = await accountOf(services, caller, named);
      const change: BrandDraft = {
        ...draft,
        logo: typeof logo_base64 === 'string' ? bytesOf(logo_base64) : logo_base64,
      };
      return changeBrand(services.core, { account: owner, operator: operatorOf(caller) }, change);
    },
  }),
];

function bytesOf(base64: string): Buffer {
  if (base64 === '' || !BASE64.test(base64)) throw invalid('logo_base64', 'must be a picture in base64');
  return Buffer.from(base64, 'base64');
}
