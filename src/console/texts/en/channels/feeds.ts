const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** What one read of a calendar has come to. */
export interface ReadCounts {
  readonly events: number;
  readonly booked: number;
  readonly altered: number;
  readonly cancelled: number;
  readonly nights_closed: number;
}

/** Texts of the calendars at channels in English. */
export const feeds = {
  cancel: 'Cancel it',
  cancelNow: 'Cancel the reservation',
  cancelConsequence: (nights: string) =>
    `The reservation of ${nights} is cancelled here. Its nights stay closed as long as their calendar shows them.`,
  cancelled: 'The reservation is cancelled here.',
  removeCancels: 'Cancel its reservations that have not begun',
  title: 'Channels',
  hint: 'Calendars that a property shares with marketplaces, and with people. Each is read every 5 to 15 minutes.',
  all: 'All channels',
  calendars: 'Calendars',
  filters: 'Filters',
  everyProperty: 'All properties',
  none: 'No calendar is connected yet. Connect the one of a marketplace below: copy its address there, and paste it here.',
  noneOfProperty: (property: string) => `${property} has no calendar yet. Connect one below.`,
  noProperty: 'There is no property yet, so there is nothing to connect.',
  addProperty: 'Add the first one',
  property: 'Property',
  calendar: 'Calendar',
  source: 'Source',
  otherSource: 'other calendar',
  private: 'private calendar',
  state: 'State',
  states: { active: 'in step', paused: 'paused', failing: 'not read', given: 'only given' },
  lastRead: 'Last read well',
  never: 'never',
  notRead: 'nothing is read from it',
  events: (count: number) => counted(count, 'event', 'events'),
  problem: (problem: string) => `The last read failed: ${problem}.`,
  unreadable: (problem: string) => `Something in it cannot be read: ${problem}.`,
  fetched: 'Ours last fetched',
  fetchedBy: (moment: string, program: string) => (program === '' ? moment : `${moment}, by ${program}`),
  ourAddress: 'Our address',
  connect: 'Connect a calendar',
  connectHint:
    'Its events close nights here and become reservations. In exchange the marketplace gets an address of ours, which shows it the nights that are taken, and nothing else.',
  name: 'Name',
  nameHint: 'As the marketplace is called.',
  url: 'Address of their calendar',
  urlHint: 'The marketplace shows it where calendars are exported. Without it, only ours is given.',
  connectNow: 'Connect',
  connected: (name: string) => `${name} is connected.`,
  readWell({ events, booked, altered, cancelled, nights_closed }: ReadCounts): string {
    const parts = [
      ...(booked > 0 ? [counted(booked, 'new reservation', 'new reservations')] : []),
      ...(altered > 0 ? [`${altered} changed`] : []),
      ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
      `${counted(nights_closed, 'night', 'nights')} closed`,
    ];
    return `${counted(events, 'event', 'events')}: ${parts.join(', ')}.`;
  },
  readFailed: (problem: string) => `It could not be read: ${problem}. Nothing was changed by it.`,
  readGone: 'It was changed meanwhile, and was not read.',
  addPrivate: 'A private calendar',
  addPrivateHint:
    'For a phone, a cleaner or the heating. Whoever has its address sees the nights that are taken, and what you tick, without a password.',
  privateNameHint: 'Whose calendar it is.',
  shows: 'It also shows',
  details: {
    name: 'name of the guest',
    phone: 'last four digits of the telephone',
    guests: 'number of guests',
    times: 'hours of check-in and check-out',
    code: 'code of the door',
  } as Readonly<Record<string, string>>,
  addPrivateNow: 'Make the calendar',
  privateMade: (name: string) => `The calendar ${name} is made. Give its address to whoever may see it.`,
  of: (property: string, source: string) => `${property} · ${source}`,
  isPaused: 'It is paused: nothing is read, and its nights stay closed.',
  soldTwice: (nights: number) => `${counted(nights, 'night', 'nights')} perhaps sold twice`,
  look: 'May be sold twice',
  lookHint: 'These nights may be sold twice: they are taken there and here. Look in the channel who comes then.',
  seeNights: 'See these nights',
  same: 'It is the same stay',
  settled: 'It is noted as the same stay.',
  pasteHint: (name: string) => `Paste this address at ${name}, where calendars are imported.`,
  giveHint: 'Add this address to a calendar program.',
  seesNights: 'Whoever has it sees the nights that are taken, and nothing else.',
  seesMore: (details: string) => `Whoever has it sees the nights that are taken, and: ${details}.`,
  neverFetched: 'Nobody has fetched it yet.',
  renew: 'New address',
  renewConsequence: (name: string) =>
    `The address above is dead at once. ${name} sees nothing of what is taken here until it has the new one.`,
  renewNow: 'Make a new address',
  renewed: 'The old address is dead. Pass on the new one.',
  theirs: 'Their calendar',
  host: 'Read from',
  tried: 'Last tried',
  readNow: 'Read now',
  pause: 'Pause',
  resume: 'Resume',
  paused: (name: string) => `${name} is paused.`,
  resumed: (name: string) => `${name} is read again.`,
  eventsTitle: 'Events',
  eventsHint: 'As their calendar shows them, from today on.',
  noEvents: 'Their calendar shows nothing from today on.',
  nights: 'Nights',
  kind: 'Kind',
  kinds: {
    reservation: 'reservation',
    block: 'closed',
    unknown: 'closed, no reason told',
    echo: 'repeats ours',
  } as Readonly<Record<string, string>>,
  code: 'Their code',
  reservation: 'Reservation',
  missing: 'Missing since',
  change: 'Change',
  newUrl: 'Another address of their calendar',
  newUrlHint: 'Left empty, it stays as it is.',
  changed: (name: string) => `${name} is changed.`,
  remove: 'Remove',
  removeChannel: (name: string, property: string, reservations: number) =>
    `${name} is not read any more, and our address for it is dead. Nights of ${property} that it alone closed are open again. ${
      reservations === 0
        ? 'No reservation came by it.'
        : `${counted(reservations, 'reservation that came by it stays', 'reservations that came by it stay')}.`
    }`,
  removeOurs: (name: string) => `The address of ${name} is dead at once. No night and no reservation changes.`,
  removeNow: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} is removed.`,
};
