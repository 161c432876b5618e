import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { accountCommands, tokenCommands } from './cli/accounts.ts';
import { analystCommands } from './cli/analysts.ts';
import { automationCommands } from './cli/automations.ts';
import { backupCommand, restoreCommand } from './cli/backup.ts';
import { backupsCommands } from './cli/backups.ts';
import { backfillCommand } from './cli/backfill.ts';
import { connectCommand } from './cli/connect.ts';
import { disconnectCommand } from './cli/disconnect.ts';
import type { CliContext } from './cli/context.ts';
import { customChannelCommands, depositCommand, dictionaryCommands } from './cli/dictionaries.ts';
import { doctorCommand } from './cli/doctor.ts';
import { endpointCommands } from './cli/endpoints.ts';
import { comparisonCommands } from './cli/comparisons.ts';
import { noticeCommands } from './cli/notices.ts';
import { auditCommand } from './cli/audit.ts';
import { eraseGuestCommand } from './cli/eraseGuest.ts';
import { webhookCommands } from './cli/webhook.ts';
import { eventCommands } from './cli/events.ts';
import { exportCommands } from './cli/exports.ts';
import { importCommand } from './cli/imports.ts';
import { mcpCommands } from './cli/mcp.ts';
import { migrateCommand } from './cli/migrate.ts';
import { bookPageCommands } from './cli/bookPages.ts';
import { directBookingCommands } from './cli/directBookings.ts';
import { feedCommands } from './cli/feeds.ts';
import { guestPageCommand } from './cli/guestPage.ts';
import { namingProgram, programName } from './cli/programName.ts';
import { rateCommands } from './cli/rates.ts';
import { mailCommands } from './cli/mail.ts';
import { loginCommands, subAccountCommands } from './cli/people.ts';
import { oauthCommands } from './cli/oauth.ts';
import { secretsCommands } from './cli/secrets.ts';
import { profileCommands } from './cli/profiles.ts';
import { reportCommand } from './cli/report.ts';
import { simulateCommand } from './cli/simulate.ts';
import { startCommand } from './cli/start.ts';
import { statusCommand } from './cli/status.ts';
import { rebuildMirrorCommand, reconcileCommand, verifyCommand } from './cli/scans.ts';
import { version } from './compose/version.ts';
import { packageRoot } from './kernel/program/packageRoot.ts';
import { messageOf, OperatorError, UsageError } from './kernel/errors.ts';

const COMMANDS = [
  startCommand,
  connectCommand,
  disconnectCommand,
  migrateCommand,
  accountCommands,
  subAccountCommands,
  feedCommands,
  guestPageCommand,
  rateCommands,
  bookPageCommands,
  directBookingCommands,
  mailCommands,
  tokenCommands,
  loginCommands,
  oauthCommands,
  mcpCommands,
  dictionaryCommands,
  customChannelCommands,
  depositCommand,
  importCommand,
  statusCommand,
  verifyCommand,
  backfillCommand,
  reconcileCommand,
  rebuildMirrorCommand,
  reportCommand,
  analystCommands,
  exportCommands,
  eventCommands,
  webhookCommands,
  endpointCommands,
  noticeCommands,
  comparisonCommands,
  profileCommands,
  automationCommands,
  eraseGuestCommand,
  auditCommand,
  simulateCommand,
  secretsCommands,
  backupCommand,
  backupsCommands,
  restoreCommand,
  doctorCommand,
];

/** The process: reads the arguments, runs the command, and ends with its exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const context = processContext();
  const program = new Command('stayd')
    .description('a rental-management service and the daemon that mirrors it')
    .version(version())
    .showHelpAfterError()
    .exitOverride();
  for (const add of COMMANDS) await add(program, context, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    process.exitCode = report(error, context);
  }
}

function processContext(): CliContext {
  const name = programName(packageRoot());
  const stopping = new AbortController();
  let asked = false;
  // The first signal drains; a second one does not wait for that.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(130);
      asked = true;
      stopping.abort();
    });
  }
  // A terminal that is closed hangs up, also beside a Ctrl-C that ends the shell in between: that hurries nobody.
  // Without one, a hang-up asks to read the settings again.
  const isAtTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  let onHangUp = () => stopping.abort();
  process.on('SIGHUP', () => {
    if (!stopping.signal.aborted) onHangUp();
  });
  // Whoever reads the output may stop reading; that is no reason to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return {
    // Imported late: to check settings takes longer to load than all commands together.
    loadConfig: async () => (await import('./config.ts')).loadConfig(),
    signal: stopping.signal,
    onHangUp(listener) {
      if (!isAtTerminal) onHangUp = listener;
    },
    out: (text) => process.stdout.write(`${namingProgram(text, name)}\n`),
    err: (text) => process.stderr.write(`${namingProgram(text, name)}\n`),
    terminal: process.stderr.isTTY,
    isRead: process.stdout.isTTY,
    ...(process.stdin.isTTY && process.stderr.isTTY && { ask }),
    exit: (code) => {
      process.exitCode = code;
    },
  };
}

async function ask(question: string, { unseen }: { unseen: boolean } = { unseen: false }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = unseen ? nowhere : process.stderr;
  const lines = createInterface({ input: process.stdin, output, ...(unseen && { terminal: true }) });
  try {
    if (unseen) process.stderr.write(question);
    return await lines.question(question);
  } finally {
    if (unseen) process.stderr.write('\n');
    lines.close();
  }
}

const PROBLEM = 1;
const WRONG_USE = 2;

function report(error: unknown, context: CliContext): number {
  // commander has said what is wrong already; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USE;
  if (context.signal.aborted) return PROBLEM;
  context.err(`stayd: ${messageOf(error)}`);
  if (error instanceof OperatorError) {
    if (error.hint) context.err(`       ${error.hint}`);
    return error instanceof UsageError ? WRONG_USE : PROBLEM;
  }
  if (error instanceof Error && error.stack) context.err(error.stack);
  return PROBLEM;
}
