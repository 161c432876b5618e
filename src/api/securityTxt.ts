import type { FastifyInstance } from 'fastify';
import type { Core } from '../core/context.ts';
import { instantOf } from '../kernel/dates.ts';

const DAY_MS = 86_400_000;
/** The standard advises less than a year; a service that no longer runs says nothing anyway. */
const VALID_DAYS = 180;

/** `/.well-known/security.txt` (RFC 9116): to whom flaws are reported. @param contact null: nobody is named, and 404 */
export function serveSecurityTxt(
  app: FastifyInstance,
  { core, contact }: { core: Core; contact: string | null },
): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    if (contact === null) return reply.code(404).type('text/plain; charset=utf-8').send('No contact is configured.\n');
    // The same text all day.
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
