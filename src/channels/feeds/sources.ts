/** Marketplaces whose feeds have known habits, and everything else. */
export const feedSources = ['airbnb', 'booking_com', 'vrbo', 'generic'] as const;
export type FeedSource = (typeof feedSources)[number];

/** What a person may say of a feed; automatic: the host of its address tells. */
export const sourceChoices = [...feedSources, 'automatic'] as const;
export type SourceChoice = (typeof sourceChoices)[number];

/**
 * reservation: guests come · block: the unit was closed by its host · unknown: one of both, which the feed does not
 * tell; its nights are closed.
 */
export type FeedKind = 'reservation' | 'block' | 'unknown';

/** The words of an event, as a feed spells them. */
export interface FeedWords {
  readonly uid: string;
  readonly summary: string;
  readonly description: string;
}

/** What the words of an event say. */
export interface FeedSense {
  readonly kind: FeedKind;
  /** The marketplace's own code of the reservation. */
  readonly reference: string | null;
  readonly guest: string | null;
  readonly phoneLast4: string | null;
}

interface Rule {
  readonly in: keyof FeedWords;
  readonly matches: RegExp;
  readonly kind: FeedKind;
}

interface SourceHabits {
  readonly name: string;
  /** The hosts from which the marketplace serves its feeds. */
  readonly hosts: RegExp;
  /** The first rule that matches says what an event is; without a match it is unknown. */
  readonly rules: readonly Rule[];
  /** Each with one group, in the field that has it. */
  readonly reference?: { readonly in: keyof FeedWords; readonly matches: RegExp };
  readonly guest?: { readonly in: keyof FeedWords; readonly matches: RegExp };
  readonly phone?: { readonly in: keyof FeedWords; readonly matches: RegExp };
}

/** Closed by hand, in the languages in which feeds were seen. */
const CLOSED =
  /not available|unavailable|block|closed|indisponible|bloqu|no disponible|cerrado|nicht verf|gesperrt|blockiert|non disponibile|chiuso|niet beschikbaar|geblokkeerd/i;
/** Held by guests, likewise. */
const HELD =
  /reserv|réserv|\bbook(ed|ing)?\b|buchung|gebucht|belegt|occupied|occup|ocupad|prenot|geboekt|gereserveerd/i;

/**
 * What marketplaces write into their feeds, as data. Airbnb gives the code and the last digits of a guest's telephone;
 * Booking.com calls everything closed; Vrbo names guests, and its blocks have their dates in the UID.
 */
export const sourceHabits: Readonly<Record<FeedSource, SourceHabits>> = {
  airbnb: {
    name: 'Airbnb',
    hosts: /(^|\.)airbnb\.[a-z.]+$/,
    rules: [
      { in: 'description', matches: /\/details\/[A-Z0-9]{6,}/, kind: 'reservation' },
      { in: 'summary', matches: CLOSED, kind: 'block' },
      { in: 'summary', matches: HELD, kind: 'reservation' },
    ],
    reference: { in: 'description', matches: /\/details\/([A-Z0-9]{6,20})/ },
    phone: { in: 'description', matches: /\D(\d{4})\s*$/ },
  },
  booking_com: { name: 'Booking.com', hosts: /(^|\.)booking\.com$/, rules: [] },
  vrbo: {
    name: 'Vrbo',
    hosts: /(^|\.)(vrbo|homeaway|abritel|fewo-direkt|stayz|bookabach)\.[a-z.]+$/,
    rules: [
      { in: 'uid', matches: /^\d{8}-\d{4}-\d{4}-\d{4}-\d{12}$/, kind: 'block' },
      { in: 'summary', matches: CLOSED, kind: 'block' },
      { in: 'summary', matches: HELD, kind: 'reservation' },
    ],
    guest: { in: 'summary', matches: /^[^-]{3,20} - (\S.{0,98})$/ },
  },
  generic: {
    name: 'Calendar',
    hosts: /$^/,
    rules: [
      { in: 'summary', matches: CLOSED, kind: 'block' },
      { in: 'summary', matches: HELD, kind: 'reservation' },
    ],
  },
};

/** Returns the marketplace that serves feeds from a host. */
export function sourceOfHost(host: string): FeedSource {
  return feedSources.find((source) => sourceHabits[source].hosts.test(host.toLowerCase())) ?? 'generic';
}

/** Returns the source that a person has chosen; by default what the host says. @param host null: nothing is read */
export function chosenSource(choice: SourceChoice | undefined, host: string | null): FeedSource {
  if (choice !== undefined && choice !== 'automatic') return choice;
  return host === null ? 'generic' : sourceOfHost(host);
}

/** Returns what the words of an event say at its source. */
export function senseOf(source: FeedSource, words: FeedWords): FeedSense {
  const { rules, reference, guest, phone } = sourceHabits[source];
  const kind = rules.find((rule) => rule.matches.test(words[rule.in]))?.kind ?? 'unknown';
  const found = (part: SourceHabits['guest']) => part?.matches.exec(words[part.in])?.[1]?.trim() ?? null;
  return kind === 'reservation'
    ? { kind, reference: found(reference), guest: found(guest), phoneLast4: found(phone) }
    : { kind, reference: null, guest: null, phoneLast4: null };
}
