import { z } from 'zod';
import { eraseGuest, planErasure } from '../../core/erasure/eraseGuest.ts';
import { ApiError } from '../../kernel/errors.ts';
import { portalRoute, type Whom } from './route.ts';
import { accountOf, connectionOf, operatorOf } from './who.ts';

const question = z.object({
  connection: z.string().optional(),
  guest_id: z.int().min(1).optional(),
  email: z.string().min(3).max(320).optional(),
  reservation_code: z.string().min(1).max(100).optional(),
  dry_run: z.boolean().default(false),
});

/** `POST /portal/erase_guest`: removes a person from the mirror, or lists what would go. */
export const erasureRoute = portalRoute({
  method: 'POST',
  path: '/portal/erase_guest',
  access: 'admin',
  input: question,
  long: true,
  run: async ({ services, caller, input, progress }) => {
    const connection = await connectionOf(services, caller, input.connection);
    const { erasure } = services.mirror;
    const whom = whomOf(input);
    return input.dry_run ? erasure.plan(connection, whom) : erasure.erase(connection, whom, progress);
  },
});

/**
 * `POST /portal/core/erase_guest`: removes the person from the core of this process, which was the source. The fields
 * are those above, with the account in place of the connection.
 */
export const coreErasureRoute = portalRoute({
  method: 'POST',
  path: '/portal/core/erase_guest',
  access: 'admin',
  input: question.omit({ connection: true }).extend({ account: z.string().min(1).optional() }),
  long: true,
  run: async ({ services, caller, input, progress }) => {
    const { core, forgetBytes } = services;
    if (forgetBytes === null) throw new ApiError(409, 'No core runs here: the source of this mirror must erase.');
    const owner = await accountOf(services, caller, input.account);
    const whom = whomOf(input);
    if (input.dry_run) return planErasure(core, owner, whom);
    progress({ phase: 'erasing' });
    const { report, strings } = await eraseGuest(core, { account: owner, operator: operatorOf(caller) }, whom);
    progress({ phase: 'rewriting' });
    return { ...report, traces: await forgetBytes(strings) };
  },
});

function whomOf({ guest_id, email, reservation_code }: Omit<z.output<typeof question>, 'connection'>): Whom {
  const named: Whom[] = [
    ...(guest_id === undefined ? [] : [{ by: 'guest_id' as const, guest_id }]),
    ...(email === undefined ? [] : [{ by: 'email' as const, email }]),
    ...(reservation_code === undefined ? [] : [{ by: 'reservation_code' as const, reservation_code }]),
  ];
  const [whom, another] = named;
  if (!whom || another) throw new ApiError(400, 'Exactly one of guest_id, email and reservation_code says whom.');
  return whom;
}
