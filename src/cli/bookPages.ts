import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface ShownPage {
  id: number;
  name: string;
  property_ids: number[];
  url: string | null;
  created_at: string;
}

interface ShownSettings {
  transfer: { text: string | null; hours: number };
  feed_minutes: number;
  guests_cancel: boolean;
  stripe: { connected: boolean; mode: string | null; has_webhook_secret: boolean; webhook_url: string };
}

const OF_ACCOUNT = ['--account <name>', 'which account; needed when there are several'] as const;

/** Adds `stayd book-pages` and `stayd payments`: where guests book, and how they pay. */
export function bookPageCommands(program: Command, context: CliContext): void {
  const pages = program.command('book-pages').description('pages where guests book');
  pages
    .command('list')
    .description('list the pages with their addresses')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action(({ account, json }: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const found = await portal.get<{ booking_pages: ShownPage[] }>('/portal/booking_pages', { account });
        if (json) return context.out(jsonText(found.booking_pages));
        const rows = found.booking_pages.map(({ id, name, property_ids, url }) => [
          id,
          name,
          property_ids.join(','),
          url ?? 'revoked',
        ]);
        context.out(table(['id', 'name', 'properties', 'address'], rows));
      }),
    );
  pages
    .command('add')
    .description('make a page, and print its address')
    .requiredOption('--property <ids>', 'which properties, separated by commas')
    .requiredOption('--name <name>', 'what to call it')
    .option('--rules-file <file>', 'a text file with the house rules that guests accept')
    .option(...OF_ACCOUNT)
    .action((options: { property: string; name: string; rulesFile?: string; account?: string }) =>
      withCore(context, async (portal) => {
        const made = await portal.send<ShownPage>('POST', '/portal/booking_pages', {
          account: options.account,
          name: options.name,
          property_ids: options.property.split(',').map((id) => count(id.trim())),
          ...(options.rulesFile !== undefined && { rules: textIn(options.rulesFile) }),
        });
        context.out(made.url ?? '');
      }),
    );
  pages
    .command('revoke <id>')
    .description('revoke a page: its address opens nothing more')
    .option(...OF_ACCOUNT)
    .action((id: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('DELETE', `/portal/booking_pages/${count(id)}`, { account });
      }),
    );
  paymentCommands(program, context);
}

function paymentCommands(program: Command, context: CliContext): void {
  const payments = program.command('payments').description('how guests pay');
  payments
    .command('show')
    .description('show how guests pay, without keys')
    .option(...OF_ACCOUNT)
    .option('--json', 'as JSON')
    .action(({ account, json }: { account?: string; json?: true }) =>
      withCore(context, async (portal) => {
        const found = await portal.get<ShownSettings>('/portal/payments', { account });
        if (json) return context.out(jsonText(found));
        const { transfer, stripe, feed_minutes, guests_cancel } = found;
        const card = stripe.connected
          ? `a ${stripe.mode} key; ${stripe.has_webhook_secret ? 'a webhook secret' : 'no webhook secret'}`
          : 'not connected';
        context.out(`transfer: ${transfer.text ?? 'not offered'}\nheld for a transfer: ${transfer.hours} h
Stripe: ${card}\nwebhook: ${stripe.webhook_url}\nfeeds are too old after: ${feed_minutes} min
guests cancel by themselves: ${guests_cancel ? 'yes' : 'no'}`);
      }),
    );
  payments
    .command('transfer')
    .description('offer bank transfers, or no more')
    .option('--text-file <file>', 'a text file that says where to transfer money to, as guests read it; - is the input')
    .option('--off', 'offer no transfers')
    .option('--hours <hours>', 'hours for which nights are held', count)
    .option('--feed-minutes <minutes>', 'minutes after which a calendar feed is too old to book by', count)
    .option(...OF_ACCOUNT)
    .action((options: { textFile?: string; off?: true; hours?: number; feedMinutes?: number; account?: string }) =>
      withCore(context, async (portal) => {
        const { textFile, off, hours, feedMinutes, account } = options;
        if (textFile !== undefined && off) throw new UsageError('Give --text-file or --off, not both.');
        await portal.send('PATCH', '/portal/payments', {
          account,
          ...(off && { transfer_text: null }),
          ...(textFile !== undefined && { transfer_text: textIn(textFile) }),
          transfer_hours: hours,
          feed_minutes: feedMinutes,
        });
      }),
    );
  payments
    .command('stripe')
    .description('take cards by Stripe, or no more')
    .option('--key-file <file>', 'a file with the secret or restricted key; - is the input')
    .option('--webhook-secret-file <file>', 'a file with the signing secret of the webhook')
    .option('--off', 'take no cards')
    .option(...OF_ACCOUNT)
    .action((options: { keyFile?: string; webhookSecretFile?: string; off?: true; account?: string }) =>
      withCore(context, async (portal) => {
        const { keyFile, webhookSecretFile, off, account } = options;
        const isSet = keyFile !== undefined || webhookSecretFile !== undefined;
        if (isSet === (off === true))
          throw new UsageError('Give --key-file, --webhook-secret-file or both; or --off alone.');
        const set = await portal.send<ShownSettings>('PUT', '/portal/payments/stripe', {
          account,
          ...(off && { key: null, webhook_secret: null }),
          ...(keyFile !== undefined && { key: textIn(keyFile) }),
          ...(webhookSecretFile !== undefined && { webhook_secret: textIn(webhookSecretFile) }),
        });
        if (!off) context.err(`give this address to Stripe as a webhook: ${set.stripe.webhook_url}`);
      }),
    );
  payments
    .command('cancellations')
    .description('say who cancels a booking: guests on its page, or the host alone')
    .addArgument(new Argument('<by>', 'who').choices(['guests', 'host']))
    .option(...OF_ACCOUNT)
    .action((by: string, { account }: { account?: string }) =>
      withCore(context, async (portal) => {
        await portal.send('PATCH', '/portal/payments', { account, guests_cancel: by === 'guests' });
      }),
    );
}

/** Reads a text file; a key comes so, since what stands on a command line is seen by every program. */
function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${file} cannot be read`, 'give a text file', error);
  }
}
