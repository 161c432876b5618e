import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { systemClock } from '../kernel/clock.ts';
import { messageOf, OperatorError, UsageError } from '../kernel/errors.ts';
import type { CheckReport, OperationReport } from '../compose/profiles/profileCheck.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText, table } from './output.ts';

interface CheckOptions {
  token: string;
  profile?: string;
  json?: true;
  out?: string;
}

/** Adds `stayd profile`: profiles of dialects, and the survey of unknown deployments. */
export function profileCommands(program: Command, context: CliContext): void {
  const profiles = program.command('profile').description('dialects of other deployments');
  profiles
    .command('list')
    .description('list all profiles')
    .option('--json', 'as JSON')
    .action(async (options: { json?: true }) => {
      const { profileFiles, readProfile } = await import('../compose/profiles/profiles.ts');
      const rows = profileFiles(await context.loadConfig()).map(({ name, file, shipped }) => {
        const { note } = readProfile(file);
        return { name, from: shipped ? 'stayd' : file, note };
      });
      if (options.json) return context.out(jsonText(rows));
      const cells = rows.map(({ name, from, note }) => [name, from, note]);
      context.out(table(['name', 'from', 'note'], cells));
    });
  profiles
    .command('check')
    .description(
      'call each read operation of a deployment once and report how its answers fit; nothing is changed there',
    )
    .argument('<url>', 'its address, with or without /v3')
    .requiredOption('--token <token>', 'an access token of it; a read-only one is enough')
    .option('--profile <profile>', 'a name, or the path of a .yaml file (default: the one that fits best)')
    .option('--out <file>', 'write a proposal of a profile into this file')
    .option('--json', 'as JSON')
    .action(async (url: string, options: CheckOptions) => {
      requireAddress(url);
      const { checkProfile } = await import('../compose/profiles/profileCheck.ts');
      const report = await checkProfile({
        config: await context.loadConfig(),
        url,
        token: options.token,
        profile: options.profile,
        clock: systemClock,
        signal: context.signal,
      });
      if (options.out !== undefined) writeProposal(options.out, report.proposal);
      if (options.json) return context.out(jsonText(report));
      print(report, options.out, context);
    });
}

function requireAddress(url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol === 'https:' || protocol === 'http:') return;
  throw new UsageError(`${url} is no address`, 'such as https://rentals.example');
}

/** Writes a proposed profile, and refuses to overwrite a file. */
function writeProposal(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    throw new OperatorError(`the proposal cannot be written to ${file}: ${messageOf(cause)}`, undefined, cause);
  }
}

const MARKS = { fits: 'fits', differs: 'differs', refused: 'REFUSED', not_asked: 'not asked' } as const;

function print(
  { profile, operations, proposal, needs_proposal: needs }: CheckReport,
  out: string | undefined,
  to: CliContext,
) {
  to.out(`understood by the profile ${profile}:`);
  for (const one of operations) {
    const rows = one.rows === null || one.state === 'refused' ? '' : `, ${counted(one.rows, 'row')}`;
    to.out(`${one.operation}: ${MARKS[one.state]}${rows}${one.says === null ? '' : `: ${one.says}`}`);
    for (const line of detailsOf(one)) to.out(`  ${line}`);
  }
  if (out !== undefined) return to.out(`the proposal stands in ${out}`);
  if (!needs) return to.out(`nothing has to be added to ${profile}: set profile: ${profile} for this connection`);
  to.out(`\na profile that knows more; save it with --out FILE:\n\n${proposal}`);
}

function detailsOf(one: OperationReport): string[] {
  const lists: [string, readonly string[]][] = [
    ['missing', one.missing],
    ['null', one.nulls],
    ['of another type', one.other_types],
    ['unknown fields', one.unknown_fields],
    ['unknown words', one.unknown_words],
  ];
  return lists.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}: ${list.join(', ')}`);
}
