import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { portalRoute, type Whom } from './route.ts';
import { connectionOf } from './who.ts';

const question = z.object({
  connection: z.string().optional(),
  guest_id: z.int().min(1).optional(),
  email: z.string().min(3).max(320).optional(),
  reservation_code: z.string().min(1).max(100).optional(),
  dry_run: z.boolean().default(false),
});

/** `POST /portal/erase_guest`: takes a person out of the mirror, or tells what would go. */
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

function whomOf({ guest_id, email, reservation_code }: z.output<typeof question>): Whom {
  const named: Whom[] = [
    ...(guest_id === undefined ? [] : [{ by: 'guest_id' as const, guest_id }]),
    ...(email === undefined ? [] : [{ by: 'email' as const, email }]),
    ...(reservation_code === undefined ? [] : [{ by: 'reservation_code' as const, reservation_code }]),
  ];
  const [whom, another] = named;
  if (!whom || another) throw new ApiError(400, 'Exactly one of guest_id, email and reservation_code says whom.');
  return whom;
}
