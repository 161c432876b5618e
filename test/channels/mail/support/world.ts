import { addMailboxOf, type MailServices, readMailboxOf } from '../../../../src/channels/mail/manage.ts';
import { type MailOutcome, readMailbox } from '../../../../src/channels/mail/poll.ts';
import { mailRetention } from '../../../../src/channels/mail/retention.ts';
import type { MailboxRow } from '../../../../src/channels/mail/rows.ts';
import type { CoreDatabase } from '../../../../src/core/database.ts';
import { silentLogger } from '../../../../src/kernel/log.ts';
import { openStore, type StoreLocation } from '../../../../src/store/store.ts';
import { startCore, type TestCore } from '../../../support/core.ts';
import { type MailServer, PASSWORD, startMailServer } from './mailServer.ts';

export const OURS = 'reception@rooms.example';
export const LOG_DAYS = 365;

/** A core with a driven clock and a mailbox at a real mail server. */
export class MailWorld {
  readonly core: TestCore;
  readonly server: MailServer;
  readonly means: MailServices;
  readonly mailbox: MailboxRow;
  readonly #others: (() => Promise<void>)[] = [];

  private constructor(parts: { core: TestCore; server: MailServer; means: MailServices; mailbox: MailboxRow }) {
    ({ core: this.core, server: this.server, means: this.means, mailbox: this.mailbox } = parts);
  }

  static async start(location?: StoreLocation): Promise<MailWorld> {
    const core = await startCore(location);
    const server = await startMailServer();
    const policy = { allow: server.allow.split(',') };
    const means: MailServices = { core: core.core, policy, logDays: LOG_DAYS, server: null };
    const at = { host: '127.0.0.1', security: 'none', user: OURS, password: PASSWORD } as const;
    const mailbox = await addMailboxOf(
      means,
      { account: core.own.account, operator: null },
      {
        name: 'Sea View',
        address: OURS,
        imap: { ...at, port: server.imapPort },
        folder: 'INBOX',
        smtp: { ...at, port: server.smtpPort },
        plus_addresses: true,
        authserv_id: null,
      },
    );
    return new MailWorld({ core, server, means, mailbox });
  }

  /** What another process on the same database has. */
  async beside(location: StoreLocation): Promise<MailServices> {
    const store = await openStore<CoreDatabase>(location);
    this.#others.push(() => store.close());
    return { ...this.means, core: { ...this.core.core, store } };
  }

  /** Reads as a person asks for it. */
  async read(means = this.means): Promise<MailOutcome> {
    const who = { account: this.core.own.account, operator: null };
    return (await readMailboxOf(means, who, this.mailbox.id)).outcome;
  }

  /** Reads unless somebody does. */
  try(means = this.means) {
    return readMailbox(means, this.mailbox);
  }

  /** Lets the retention do a round. */
  async prune(): Promise<void> {
    const worker = mailRetention({ core: this.core.core, log: silentLogger, days: LOG_DAYS });
    await worker.start();
    await worker.settled();
    await worker.stop();
  }

  rows(table: 'mail_log' | 'mailboxes' | 'messages') {
    return this.core.core.store.db.selectFrom(table).selectAll().execute();
  }

  log() {
    return this.core.core.store.db.selectFrom('mail_log').selectAll().orderBy('id').execute();
  }

  async close(): Promise<void> {
    for (const end of this.#others) await end();
    await this.core.close();
    await this.server.stop();
  }
}
