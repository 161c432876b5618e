import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { messageOf, UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface ShownMailbox {
  id: number;
  name: string;
  address: string;
  state: string;
  read: { good_at: string | null; problem: string | null };
  sent: { good_at: string | null; problem: string | null };
  troubles: { says: string; remedy: string }[];
}

interface ShownMail {
  entry: number;
  mailbox_id: number;
  at: string;
  direction: string;
  kind: string;
  address: string;
  subject: string;
  checks: string | null;
  says: string | null;
  needs_a_look: boolean;
}

interface AddOptions {
  address: string;
  imap: string;
  imapUser?: string;
  imapSecurity?: string;
  folder?: string;
  passwordFile?: string;
  smtp?: string;
  smtpUser?: string;
  smtpSecurity?: string;
  smtpPasswordFile?: string;
  plusAddresses?: true;
  signedBy?: string;
  account?: string;
  json?: true;
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;
const SECURITY = ['tls', 'starttls', 'none'];

/** Adds `stayd mail`: mailboxes by which direct guests write and are written to. */
export function mailCommands(program: Command, context: CliContext): void {
  const mail = program.command('mail').description('mailboxes: conversations with direct guests by e-mail');
  const command = (words: string, description: string) =>
    mail
      .command(words)
      .description(description)
      .option(...OF_ACCOUNT);
  command('list', 'list the mailboxes: when each was read and has sent, and what is wrong')
    .option('--json', 'as JSON')
    .action(({ account, json }: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const { mailboxes } = await portal.get<{ mailboxes: ShownMailbox[] }>('/portal/mailboxes', { account });
        if (json) return context.out(jsonText(mailboxes));
        context.out(table(['id', 'name', 'address', 'read', 'sent'], mailboxes.map(cells)));
        for (const { troubles } of mailboxes)
          for (const { says, remedy } of troubles) context.out(`! ${says}: ${remedy}`);
      }),
    );
  addCommand(command('add <name>', 'add a mailbox; the name is what guests see as the sender'), context);
  command('test <id>', 'sign in at both servers of a mailbox; nothing is sent').action(
    (id: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        const path = `/portal/mailboxes/${count(id)}/test`;
        const said = await portal.send<{ imap: string | null; smtp: string | null }>('POST', path, { account });
        context.out(`reading: ${said.imap ?? 'works'}`);
        context.out(`sending: ${said.smtp ?? 'works'}`);
        return said.imap === null && said.smtp === null ? undefined : context.exit(1);
      }),
  );
  command('read <id>', 'read a mailbox now').action((id: string, { account }: { account?: string }) =>
    withCore(context, async (portal) => {
      const path = `/portal/mailboxes/${count(id)}/read`;
      const { outcome } = await portal.send<{ outcome: Outcome }>('POST', path, { account });
      context.out(said(outcome));
      return outcome.read === 'good' ? undefined : context.exit(1);
    }),
  );
  for (const [verb, state, what] of [
    ['pause', 'paused', 'read a mailbox no more, and send nothing in its name'],
    ['resume', 'active', 'read a paused mailbox again, from where it stopped'],
  ] as const) {
    command(`${verb} <id>`, what).action((id: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('PATCH', `/portal/mailboxes/${count(id)}`, { account, state });
        context.out(`mailbox ${id} is ${state}`);
      }),
    );
  }
  command('remove <id>', 'remove a mailbox here; nothing in it is touched, its conversations stay').action(
    (id: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/mailboxes/${count(id)}`, { account });
        context.out(`removed mailbox ${id}`);
      }),
  );
  logCommands(command, context);
}

function logCommands(command: (words: string, description: string) => Command, context: CliContext): void {
  command('log', 'list the mails that came and went, and what each was taken for')
    .option('--mailbox <id>', 'of one mailbox', count)
    .option('--waiting', 'only those that need a look')
    .option('--limit <count>', 'how many', count, 50)
    .option('--json', 'as JSON')
    .action(({ account, mailbox, waiting, limit, json }: Record<string, string | number | true | undefined>) =>
      withCore(context, async (portal) => {
        const question = { account, mailbox, limit, ...(waiting && { waiting: 'true' }) };
        const { mails } = await portal.get<{ mails: ShownMail[] }>(
          '/portal/mailboxes/log',
          question as Record<string, string>,
        );
        if (json) return context.out(jsonText(mails));
        const rows = mails.map((one) => [
          `${one.entry}${one.needs_a_look ? ' !' : ''}`,
          one.at,
          one.direction,
          one.kind,
          one.address,
          one.subject,
          [one.says, one.checks].filter((text) => text !== null).join('; '),
        ]);
        context.out(table(['mail', 'at', '', 'taken for', 'address', 'subject', 'found'], rows));
      }),
    );
  command('settle <entry>', 'note that you have looked at a mail of the log').action(
    (entry: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('POST', `/portal/mailboxes/log/${count(entry)}/settle`, { account });
      }),
  );
  command('take <entry>', 'take in a mail that was held back').action(
    (entry: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        const path = `/portal/mailboxes/log/${count(entry)}/take`;
        const { conversation_id } = await portal.send<{ conversation_id: string | null }>('POST', path, { account });
        context.out(`in conversation ${conversation_id}`);
      }),
  );
}

function addCommand(command: Command, context: CliContext): void {
  command
    .requiredOption('--address <address>', 'what guests write to')
    .requiredOption('--imap <host[:port]>', 'the server that is read; port 993 unless you say otherwise')
    .option('--imap-user <user>', 'who signs in there; the address unless you say otherwise')
    .addOption(new Option('--imap-security <kind>', 'how that is protected').choices(SECURITY))
    .option(
      '--password-file <file>',
      'the password, often an app password; - for the standard input. Else you are asked',
    )
    .option('--folder <name>', 'the folder that is read', 'INBOX')
    .option('--smtp <host[:port]>', 'the server that sends; port 587. Without it the mail.smtp of the installation')
    .option('--smtp-user <user>', 'who signs in there; as for reading unless you say otherwise')
    .addOption(new Option('--smtp-security <kind>', 'how that is protected').choices(SECURITY))
    .option('--smtp-password-file <file>', 'as for reading unless you say otherwise')
    .option('--plus-addresses', 'name+anything@ arrives here, too: answers carry their conversation in the address')
    .option('--signed-by <name>', 'name by which the server signs its checks of senders (Authentication-Results)')
    .option('--json', 'as JSON')
    .action(async (name: string, options: AddOptions) => {
      const password = await passwordOf(options.passwordFile, context);
      await withCore(context, async (portal) => {
        const made = await portal.send<ShownMailbox>('POST', '/portal/mailboxes', draftOf(name, options, password));
        if (options.json) return context.out(jsonText(made));
        context.out(`mailbox ${made.id}: ${made.address} is read each minute`);
      });
    });
}

function draftOf(name: string, options: AddOptions, password: string): object {
  const { account, address, imap, imapUser, imapSecurity, folder, smtp, smtpUser, smtpSecurity, smtpPasswordFile } =
    options;
  return {
    account,
    name,
    address,
    imap: {
      ...serverOf('--imap', imap),
      password,
      ...(imapUser !== undefined && { user: imapUser }),
      ...(imapSecurity !== undefined && { security: imapSecurity }),
    },
    folder,
    ...(smtp !== undefined && {
      smtp: {
        ...serverOf('--smtp', smtp),
        ...(smtpUser !== undefined && { user: smtpUser }),
        ...(smtpSecurity !== undefined && { security: smtpSecurity }),
        ...(smtpPasswordFile !== undefined && { password: fromFile('--smtp-password-file', smtpPasswordFile) }),
      },
    }),
    plus_addresses: options.plusAddresses === true,
    ...(options.signedBy !== undefined && { authserv_id: options.signedBy }),
  };
}

function serverOf(option: string, text: string): { host: string; port?: number } {
  const [, host = '', port] = /^(.+?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === '') throw new UsageError(`${option}: must be a server such as imap.rooms.example:993`);
  return port === undefined ? { host } : { host, port: Number(port) };
}

async function passwordOf(file: string | undefined, context: CliContext): Promise<string> {
  if (file !== undefined) return fromFile('--password-file', file);
  if (!context.ask) throw new UsageError('password: is missing, and nobody can be asked here', 'give --password-file');
  return context.ask('Password of the mailbox (not shown): ', { unseen: true });
}

function fromFile(option: string, file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`${option}: cannot read ${file}: ${messageOf(error)}`, undefined, error);
  }
}

interface Outcome {
  read: string;
  problem?: string;
  kinds?: Record<string, number>;
}

function said({ read, problem, kinds = {} }: Outcome): string {
  if (read !== 'good') return `not read: ${problem ?? read}`;
  const parts = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  return parts.length === 0 ? 'nothing new' : parts.join(', ');
}

function cells({ id, name, address, state, read, sent }: ShownMailbox) {
  const when = state === 'paused' ? 'paused' : (read.problem ?? read.good_at ?? 'not yet');
  return [id, name, address, when, sent.problem ?? sent.good_at ?? 'nothing yet'];
}
