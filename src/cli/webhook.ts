import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText } from './output.ts';
import { withPortal } from './portal.ts';

interface Registration {
  state: 'registered' | 'by_hand' | 'refused' | 'failed';
  problem: string | null;
  knows_secret: boolean;
  next_at: string | null;
}

interface Options {
  connection?: string;
  force?: true;
  json?: true;
}

/** Adds `stayd webhook`: the webhook by which a mirrored deployment sends its events here. */
export function webhookCommands(program: Command, context: CliContext): void {
  program
    .command('webhook')
    .description('the webhook by which the mirrored service sends its events here')
    .command('register')
    .description('check the registration of the webhook, and register it if it is missing')
    .option('--force', 'register it again, even if it is listed there')
    .option('--connection <name>', 'which account; needed when several are mirrored')
    .option('--json', 'as JSON')
    .action((options: Options) =>
      withPortal(context, async (portal) => {
        const { connection, force } = options;
        const found = await portal.send<Registration>('POST', '/portal/registration', { connection, force });
        if (found.state === 'refused' || found.state === 'failed') context.exit(1);
        context.out(options.json ? jsonText(found) : said(found));
      }),
    );
}

function said({ state, problem, knows_secret, next_at }: Registration): string {
  switch (state) {
    case 'registered':
      return knows_secret
        ? 'it is registered'
        : 'it is registered, but its secret is unknown: set webhook_secret or trust_first_secret: true';
    case 'by_hand':
      return 'it is made by hand: check in the service there that it exists; ./stayd doctor says how';
    case 'refused':
    case 'failed':
      return `it is not registered: ${problem}; asked again at ${next_at}`;
  }
}
