import type { Command } from 'commander';
import { UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';
import { withCore } from './portal.ts';

interface Options {
  renew?: true;
  revoke?: true;
  account?: string;
  json?: true;
}

interface ShownPage {
  reservation_code: string;
  url: string | null;
  registered: { guests: number; of: number } | null;
}

/** Adds `stayd guest-page`: the secret link by which guests see their reservation. */
export function guestPageCommand(program: Command, context: CliContext): void {
  program
    .command('guest-page <code>')
    .description('print the link of the page of a reservation for its guests; makes the page if there is none')
    .option('--renew', 'give it a new link; the one before opens nothing any more')
    .option('--revoke', 'end the page')
    .option('--account <name>', 'which account; needed when there are several')
    .option('--json', 'as JSON')
    .action((code: string, { renew, revoke, account, json }: Options) => {
      if (renew && revoke) throw new UsageError('--renew and --revoke exclude each other', 'give one of them');
      return withCore(context, async (portal) => {
        const path = `/portal/reservations/${encodeURIComponent(code)}/guest_page`;
        if (revoke) {
          await portal.send('DELETE', path, { account });
          context.err('the page has ended: its link opens nothing any more');
          return;
        }
        const page = await portal.send<ShownPage>('POST', path, { account, renew: renew ?? false });
        if (json) return context.out(jsonText(page));
        context.out(page.url ?? '');
        const { registered } = page;
        if (registered) context.err(`${registered.guests} of ${registered.of} guests registered`);
      });
    });
}
