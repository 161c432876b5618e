import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guessMapping } from '../../src/imports/guess/guessMapping.ts';
import type { Mapping } from '../../src/imports/mapping.ts';
import type { Booking, Outcome } from '../../src/imports/outcome.ts';
import { openReservations } from '../../src/imports/readReservations.ts';
import { readMapping } from '../../src/imports/readMapping.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { all, fileOf } from './support/files.ts';
import { hotelCsv, hotelMapping, quirks } from './support/hotel.ts';

interface Guess {
  text: string;
  mapping: Mapping;
  outcomes: Outcome[];
}

/** What is proposed for a file, and the file read by it: the text must load as it stands. */
async function guess(content: string | Buffer, name = 'bookings.csv'): Promise<Guess> {
  const path = fileOf(content, name);
  const text = await guessMapping(path);
  const mapping = readMapping(text, 'guess.yaml');
  return { text, mapping, outcomes: await all((await openReservations(path, mapping)).outcomes) };
}

function bookings({ outcomes }: Guess): Booking[] {
  return outcomes.filter((outcome) => outcome.kind === 'booking');
}

const german = `Buchungsnummer;Anreise;Abreise;Gast;Personen;Gesamtpreis;Provision;Währung;Status;Unterkunft;Gebucht am;Land
A1;31.12.2025;03.01.2026;Jürgen Müller;2;1.234,50;185,18;EUR;bestätigt;Haus am See;01.11.2025 14:05;DE
A2;03.01.2026;05.01.2026;"Meier; Anna";3;300,00;0,00;EUR;storniert;Haus am See;02.11.2025 08:00;AT
A3;05.01.2026;09.01.2026;Ben Bell;1;410,00;61,50;EUR;Nicht angereist;Waldhütte;02.11.2025 08:00;GB
A4;09.01.2026;10.01.2026;Cy;1;95,00;0,00;EUR;Anfrage;Waldhütte;03.11.2025 09:30;FR
`;

describe('the mapping guessed for', () => {
  it('the hotel data is the shipped one', async () => {
    const { mapping } = await guess(hotelCsv(quirks), 'hotel_bookings.csv');
    const { source, format, identity, booking, income } = hotelMapping;
    assert.deepEqual(mapping.format, format);
    assert.deepEqual([mapping.identity, mapping.income], [identity, income]);
    assert.match(mapping.source, new RegExp(`${source}$`));
    // What nobody can guess: the note, and that an undefined channel is none.
    const { note: _, channel: __, ...guessable } = booking;
    assert.deepEqual(mapping.booking, { ...guessable, channel: { column: 'distribution_channel' } });
  });

  it('a German export of a booking portal', async () => {
    const result = await guess(german);
    const { format, identity, booking } = result.mapping;
    assert.deepEqual(
      [format.delimiter, format.decimal, format.thousands, format.dates, identity, booking.property],
      ['semicolon', 'comma', 'point', ['DD.MM.YYYY'], { column: 'Buchungsnummer' }, { column: 'Unterkunft' }],
    );
    const [first, second, third] = bookings(result);
    assert.deepEqual(
      [first?.guestName, first?.checkIn, first?.nights, first?.total, first?.bookedAt, first?.income?.amount],
      ['Jürgen Müller', '2025-12-31', 3, 123_450, '2025-11-01T14:05', 104_932],
    );
    assert.deepEqual([second?.status, second?.guestName, third?.noShow], ['cancelled', 'Meier; Anna', true]);
    assert.equal(bookings(result).length, 3);
  });

  it('the same file as Windows writes it', async () => {
    const result = await guess(Buffer.from(german.replaceAll('\n', '\r\n'), 'latin1'));
    assert.equal(result.mapping.format.encoding, 'latin1');
    assert.equal(bookings(result)[0]?.guestName, 'Jürgen Müller');
  });

  it('an English export', async () => {
    const result = await guess(
      `Arrival;Departure;Guest name;Total price;Currency;Status
31.12.2025;02.01.2026;Ann Bell;1.234,50;EUR;OK
02.01.2026;05.01.2026;Cy Dee;99,00;EUR;Cancelled
`,
    );
    assert.deepEqual(
      bookings(result).map(({ place, checkIn, guestName, total, status }) => [
        place,
        checkIn,
        guestName,
        total,
        status,
      ]),
      [
        [{ group: 'Imported' }, '2025-12-31', 'Ann Bell', 123_450, 'accepted'],
        [{ group: 'Imported' }, '2026-01-02', 'Cy Dee', 9_900, 'cancelled'],
      ],
    );
    assert.match(result.text, /no column names the property/);
    assert.match(result.text, /No column was found for: booked_at, cancelled_at, email, phone, country, channel\./);
  });

  it('an American one, with names in two columns and amounts in dollars', async () => {
    const result = await guess(
      `Confirmation code,Start date,End date,# of adults,# of children,First name,Last name,Earnings,Listing
HM1,12/3/2025,12/7/2025,2,1,Ann,Bell,"$1,040.00",Lake House
HM2,12/13/2025,12/15/2025,1,0,Cy,Dee,"$98.50",Lake House
`,
    );
    assert.deepEqual(result.mapping.format.dates, ['M/D/YYYY']);
    const [first] = bookings(result);
    assert.deepEqual(
      [first?.key, first?.checkIn, first?.guestName, first?.guests, first?.total, first?.place],
      ['HM1', '2025-12-03', 'Ann Bell', 3, 104_000, { property: 'Lake House' }],
    );
    assert.deepEqual([first?.currency, first?.commission], ['USD', 0]);
    assert.match(result.text, /\$ can be of several currencies: USD is only a guess/);
    assert.match(result.text, /"Earnings" is what is paid out, and no column has the price: it stands for the price/);
  });

  it('days and months that cannot be told apart by their numbers, by the stays that result', async () => {
    const result = await guess(
      'arrival,departure\n03/04/2025,03/06/2025\n11/01/2025,12/01/2025\n05/06/2025,05/08/2025\n',
    );
    assert.deepEqual(result.mapping.format.dates, ['MM/DD/YYYY']);
  });

  it('days and months that cannot be told apart at all says so', async () => {
    const result = await guess('arrival,departure\n03/04/2025,04/04/2025\n');
    assert.deepEqual(result.mapping.format.dates, ['DD/MM/YYYY']);
    assert.match(result.text, /read as DD\/MM\/YYYY, but could be MM\/DD\/YYYY/);
  });

  it('properties in which stays overlap makes them groups', async () => {
    const rows = Array.from({ length: 9 }, (_, row) => `2026-01-0${row + 1},2026-01-2${row},Chalet\n`).join('');
    const { mapping } = await guess(`arrival,departure,property\n${rows}`);
    assert.deepEqual([mapping.booking.property, mapping.booking.property_group], [undefined, { column: 'property' }]);
  });
});

describe('the text of a guess', () => {
  it('shows five rows as they would be imported, and what to check', async () => {
    const { text } = await guess(german);
    assert.match(text, /status "Anfrage" is not mapped/);
    assert.match(
      text,
      /# line 2: 2025-12-31 to 2026-01-03, Haus am See, Jürgen Müller \(2 guests\), accepted, EUR 1234\.50/,
    );
    assert.match(text, /# line 5: rejected, status: unknown status \(Anfrage\)/);
    const many = await guess(hotelCsv(Array.from({ length: 30 }, () => ({}))));
    assert.equal(many.text.match(/^# line \d+:/gm)?.length, 5);
  });

  it('cannot be broken out of by what the file holds', async () => {
    const evil = 'x\nsource: evil';
    const { mapping } = await guess(`arrival,departure,guest,"unit ${evil}"\n2026-01-01,2026-01-02,"Ann\n${evil}",1\n`);
    assert.match(mapping.source, /^\d+-bookings$/);
  });

  it('a short file with one broken date, of which that line alone is refused', async () => {
    const result = await guess(
      'booking;arrival;departure;guest;price\nA1;31.12.2025;03.01.2026;Ada;1.234,50\nA2;31.13.2025;03.01.2026;Bob;99,00\nA3;05.01.2026;07.01.2026;Cid;200,00\n',
    );
    assert.deepEqual(result.mapping.identity, { column: 'booking' });
    assert.deepEqual(
      bookings(result).map((booking) => booking.guestName),
      ['Ada', 'Cid'],
    );
    const [refused] = result.outcomes.filter((outcome) => outcome.kind === 'rejection');
    assert.deepEqual([refused?.line, refused?.problems.map((problem) => problem.field)], [3, ['check_in_date']]);
  });

  it('names what it could not find when there is nothing to propose', async () => {
    const rows: [content: string, said: RegExp][] = [
      ['a,b\n1,2\n', /could not find the check-in date in .*; its columns are: a, b/],
      ['arrival,b\n2026-01-01,2\n', /could not find the check-out date or the nights/],
      ['arrival,departure\nsoon,later\n', /could not find the check-in date/],
      ['arrival,departure\n', /has no rows/],
      ['', /is empty/],
      ['arrival,departure\n"2026-01-01,2026-01-02\n', /, line 2: quote not closed/],
      ['arrival,"departure\n2026-01-01,2026-01-02\n', /header line of .* quote not closed/],
    ];
    for (const [content, said] of rows) {
      await assert.rejects(
        guessMapping(fileOf(content)),
        (error) => error instanceof OperatorError && said.test(error.message),
        String(said),
      );
    }
  });
});
