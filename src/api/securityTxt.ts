import type { FastifyInstance } from 'fastify';
import type { Core } from '../core/context.ts';
import { instantOf } from '../kernel/dates.ts';

const DAY_MS = 86_400_000;
/** Days of validity. The standard advises less than a year. */
const VALID_DAYS = 180;

/** Serves `/.well-known/security.txt` (RFC 9116), the contact for reports of flaws. @param contact null answers 404 */
export function serveSecurityTxt(
  app: FastifyInstance,
  { core, contact }: { core: Core; contact: string | null },
): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    if (contact === null) return reply.code(404).type('text/plain; charset=utf-8').send('No contact is configured.\n');
    // Rounds to the day, so that the text is the same all day.
    const today = Math.floor(core.clock.now() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${instantOf(today + VALID_DAYS * DAY_MS)}`,
      `Canonical: ${core.publicUrl()}/.well-known/security.txt`,
      'Preferred-Languages: en',
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
