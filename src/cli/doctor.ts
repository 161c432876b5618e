import type { Command } from 'commander';
import { systemClock } from '../kernel/clock.ts';
import type { CliContext } from './context.ts';
import { counted, jsonText } from './output.ts';

const MARKS = { ok: 'ok     ', note: 'note   ', problem: 'PROBLEM' } as const;

/** Adds `stayd doctor`, which looks for faults and prints a remedy for each. The exit code is 1 if it finds one. */
export function doctorCommand(program: Command, context: CliContext): void {
  program
    .command('doctor')
    .description('check this stayd and suggest remedies; exit code 1 if something is wrong')
    .option('--json', 'as JSON')
    .action(async (options: { json?: true }) => {
      const { diagnose } = await import('../compose/doctor/doctor.ts');
      const { loadConfig } = await import('../config.ts');
      const { healthy, findings } = await diagnose(loadConfig, systemClock);
      if (!healthy) context.exit(1);
      if (options.json) return context.out(jsonText({ healthy, findings }));
      for (const { check, state, says, remedy } of findings) {
        context.out(`${MARKS[state]}  ${check}: ${says}`);
        if (remedy !== null) context.out(`         → ${remedy}`);
      }
      const problems = findings.filter((one) => one.state === 'problem').length;
      context.out(healthy ? 'nothing is wrong' : `${counted(problems, 'problem')} found`);
    });
}
