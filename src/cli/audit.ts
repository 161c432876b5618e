import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import { jsonText, table } from './output.ts';
import { count } from './people.ts';
import { withCore } from './portal.ts';

interface Options {
  account?: string;
  actor?: string;
  action?: string;
  since?: string;
  limit: number;
  json?: true;
}

interface Entry {
  id: string;
  at: string;
  operator_id: number | null;
  operator_name: string | null;
  client_id: string | null;
  action: string;
  subject: string;
  old_values: object | null;
  new_values: object | null;
}

/** Rows that one call returns. */
const PAGE = 1_000;

/** Adds `stayd audit`: the actions of an account and its refusals, newest first. */
export function auditCommand(program: Command, context: CliContext): void {
  program
    .command('audit')
    .description('list who did what in an account, and who was refused; newest first')
    .option('--account <name>', 'which account; needed when there are several')
    .option('--actor <who>', 'the number of a person, the client_id of an application, or service')
    .option('--action <text>', 'actions that begin with this text, such as "sign in" or refused')
    .option('--since <date>', 'since this date, in UTC')
    .option('--limit <count>', 'maximum number', count, 100)
    .option('--json', 'as JSON')
    .action((options: Options) =>
      withCore(context, async (portal) => {
        const { json, limit, ...question } = options;
        const entries: Entry[] = [];
        for (let after: string | undefined; entries.length < limit;) {
          const query = { ...question, after, limit: Math.min(PAGE, limit - entries.length) };
          const page = await portal.get<{ entries: Entry[]; next: string | null }>('/portal/audit', query);
          entries.push(...page.entries);
          if (page.next === null) break;
          after = page.next;
        }
        if (json) return context.out(jsonText(entries));
        context.out(table(['at', 'who', 'action', 'subject', 'before', 'after'], entries.map(cells)));
      }),
    );
}

function cells({ at, operator_id, operator_name, client_id, action, subject, old_values, new_values }: Entry) {
  const person = operator_id === null ? 'service' : `${operator_name ?? ''} (${operator_id})`;
  return [
    at,
    client_id === null ? person : `${person} by ${client_id}`,
    action,
    subject,
    text(old_values),
    text(new_values),
  ];
}

function text(values: object | null): string | null {
  return values && JSON.stringify(values);
}
