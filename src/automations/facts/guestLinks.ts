import type { GuestLink } from '../../client/guestLinks.ts';
import type { Automating, GuestLinks } from '../context.ts';
import { fieldsOf } from '../rules/templateMistakes.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';

/**
 * Returns the links of a reservation for its guests that a rule's text names: asking for the page for guests makes it.
 * null where no text names a link, and where the source has no such page.
 */
export async function guestLinksFor(
  { guestLinkOf, settings, signal }: Automating,
  rule: Pick<LoadedRule, 'do' | 'if_past'>,
  reservationCode: string | undefined,
): Promise<GuestLinks> {
  const named = new Set(fieldsOf(rule, settings.secretFields).map(({ name }) => name));
  const linkOf = async (kind: GuestLink) => {
    if (!guestLinkOf || reservationCode === undefined || !named.has(`stay.${kind}_url`)) return null;
    return (await guestLinkOf(kind, reservationCode, signal)) ?? null;
  };
  return { guest_page: await linkOf('guest_page'), booking_page: await linkOf('booking_page') };
}

/** Returns the links by their names in templates. */
export function linkScope({ guest_page, booking_page }: GuestLinks): {
  [Kind in GuestLink as `${Kind}_url`]: string | null;
} {
  return { guest_page_url: guest_page, booking_page_url: booking_page };
}
