import type { Dice } from '../../../src/kernel/seeded.ts';
import type { MailServer } from '../../channels/mail/support/mailServer.ts';
import { mailOf } from '../../channels/mail/support/shapes.ts';

export const HOUSE_ADDRESS = 'reception@rooms.example';
const QUESTIONS = [
  'Is there wifi in the flat?',
  'Where can we leave the car, is there parking?',
  'We arrive late, at about ten in the evening.',
  'Thank you, we look forward to it.',
  'May we bring a small dog?',
] as const;
/** Per cent of the mails of the house that a person, a robot or a server answers. */
const ANSWERED = { byPerson: 30, byRobot: 6, byServer: 2 };
const TWICE_PERCENT = 5;

/** A mail that a guest is about to send. */
export interface Letter {
  readonly afterMs: number;
  readonly raw: string;
  /** How often it arrives. */
  readonly times: number;
  readonly isMessage: boolean;
}

/** Guests with mail programs: what they write by themselves, and how they answer what the house writes. */
export class Correspondents {
  readonly #dice: Dice;
  readonly #server: MailServer;
  #seen = 0;
  #count = 0;
  /** Mails of people that arrived. */
  messages = 0;
  /** Mails of robots and servers that arrived. */
  robots = 0;

  constructor(server: MailServer, dice: Dice) {
    this.#server = server;
    this.#dice = dice;
  }

  /** A mail of somebody who answers none. */
  question(address: string): Letter {
    const text = this.#dice.pick(QUESTIONS);
    return this.#letter(address, { Subject: 'A question' }, { text, isMessage: true });
  }

  /** What comes of the mails that the house has sent since this was asked last. */
  answers(): Letter[] {
    const fresh = this.#server.sent.slice(this.#seen);
    this.#seen += fresh.length;
    return fresh.flatMap(({ to, raw }) => {
      const [address = ''] = to;
      if (address === HOUSE_ADDRESS) return [];
      const head = (name: string) =>
        new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1]?.replaceAll(/\r\n\s+/g, ' ') ?? '';
      const about = {
        'In-Reply-To': head('Message-ID'),
        References: head('Message-ID'),
        Subject: `Re: ${head('Subject')}`,
      };
      const drawn = this.#dice.fraction() * 100;
      const { byPerson, byRobot, byServer } = ANSWERED;
      if (drawn < byPerson) {
        const text = `${this.#dice.pick(QUESTIONS)}\n\nOn Friday the house wrote:\n> ${head('Subject')}\n> Hello`;
        return [this.#letter(address, about, { text, isMessage: true })];
      }
      if (drawn < byPerson + byRobot) {
        const text = 'I am away until Monday.';
        return [this.#letter(address, { ...about, 'Auto-Submitted': 'auto-replied' }, { text, isMessage: false })];
      }
      if (drawn < byPerson + byRobot + byServer) {
        const heads = { ...about, 'Return-Path': '<>', Subject: 'Undelivered Mail Returned to Sender' };
        return [this.#letter('mailer-daemon@guest.example', heads, { text: 'No such user.', isMessage: false })];
      }
      return [];
    });
  }

  /** Delivers a letter into the mailbox of the house. */
  deliver({ raw, times, isMessage }: Letter, now: number): void {
    for (let time = 0; time < times; time += 1) this.#server.drop(HOUSE_ADDRESS, raw, new Date(now));
    if (isMessage) this.messages += 1;
    else this.robots += 1;
  }

  #letter(
    address: string,
    heads: Record<string, string>,
    { text, isMessage }: { text: string; isMessage: boolean },
  ): Letter {
    this.#count += 1;
    const raw = mailOf(
      {
        'Return-Path': `<${address}>`,
        From: address,
        To: HOUSE_ADDRESS,
        'Message-ID': `<m${this.#count}@guest.example>`,
        ...heads,
      },
      text,
    );
    const afterMs = this.#dice.between(5, 20 * 60) * 60_000;
    return { afterMs, raw, times: this.#dice.percent(TWICE_PERCENT) ? 2 : 1, isMessage };
  }
}
