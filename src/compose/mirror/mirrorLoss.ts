import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { checkIntegrity, readWhatCan } from '../../store/sqlite/integrity.ts';
import { coreDamaged } from '../health/damage.ts';
import type { Damage } from '../health/damageWatch.ts';
import { hasInstanceId, readPrivate, writePrivate } from '../privacy/privateFiles.ts';

/** The facts of a lost mirror that its successor needs; a file holds them until the successor has stored them. */
const lossSchema = z.object({
  why: z.string(),
  at: z.string(),
  /** The last position of each feed, as far as it was readable. */
  heads: z.record(z.string(), z.int()),
  /** A number above every position that a feed can have reached. */
  beyond: z.int(),
});
type MirrorLoss = z.output<typeof lossSchema>;

type Half = Damage['half'];

const LOSS_FILE = 'mirror-loss.json';
/** Bytes up to which a file is checked before its use; a larger one is checked beside the running service. */
const CHECKED_FIRST_BYTES = 32 * 1024 * 1024;

interface Surroundings {
  clock: Clock;
  log: Logger;
  /** Damage of the mirror that an earlier run met. */
  known?: string | undefined;
}

/**
 * Checks both files before they are opened. A damaged mirror is moved away, a missing one is recorded; in both cases a
 * new mirror starts, and its feeds continue where the old ones ended. Throws OperatorError if the core is damaged or
 * missing. PostgreSQL checks itself.
 * @returns the halves that are too large for a check at once
 */
export function examineFiles(config: Config, surroundings: Surroundings): Half[] {
  if (config.database_url !== null) return [];
  const [core, mirror] = ['core', 'mirror'].map((half) => join(config.data_dir, `${half}.db`)) as [string, string];
  const hadDatabases = hasInstanceId(config.data_dir);
  if (hadDatabases && !existsSync(core)) {
    throw new OperatorError(
      `${core} is missing, although there was one`,
      'move the data directory away and bring back the last backup (./stayd restore FILE), or begin with another one',
    );
  }
  if (!existsSync(mirror)) {
    if (hadDatabases) note(config, surroundings, 'mirror.db was missing', {});
  } else {
    const problem = surroundings.known ?? (isSmall(mirror) ? checkIntegrity(mirror)[0] : undefined);
    if (problem !== undefined) quarantine(config, surroundings, mirror, problem);
  }
  const coreProblem = existsSync(core) && isSmall(core) ? checkIntegrity(core)[0] : undefined;
  if (coreProblem !== undefined) throw coreDamaged(config, coreProblem);
  return (['core', 'mirror'] as const).filter((_, index) => !isSmall([core, mirror][index] ?? ''));
}

function isSmall(file: string): boolean {
  return [file, `${file}-wal`].every((one) => !existsSync(one) || statSync(one).size <= CHECKED_FIRST_BYTES);
}

function quarantine(config: Config, surroundings: Surroundings, file: string, problem: string): void {
  const { clock, log } = surroundings;
  const heads = readWhatCan<{ connection: string; seq: number }>(file, 'select connection, seq from feed_heads');
  note(
    config,
    surroundings,
    `mirror.db was damaged: ${problem}`,
    Object.fromEntries(heads.filter(isHead).map(({ connection, seq }) => [connection, seq])),
  );
  const kept = `${file}.damaged-${instantOf(clock.now()).replaceAll(/[:.]/g, '')}`;
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${kept}${suffix}`);
  }
  log.error({ problem, kept }, 'mirror.db is damaged: it was moved away, and everything is read again');
}

function isHead({ connection, seq }: { connection: unknown; seq: unknown }): boolean {
  return typeof connection === 'string' && Number.isSafeInteger(seq);
}

function note(config: Config, { clock }: Surroundings, why: string, heads: Record<string, number>): void {
  const loss: MirrorLoss = { why, at: instantOf(clock.now()), heads, beyond: clock.now() };
  writePrivate(config.data_dir, LOSS_FILE, `${JSON.stringify(loss)}\n`);
}

/** Returns the loss that the new mirror has not stored yet. */
export function mirrorLoss(config: Config): MirrorLoss | undefined {
  const text = readPrivate(config.data_dir, LOSS_FILE);
  return text === undefined ? undefined : lossSchema.parse(JSON.parse(text));
}

/** Deletes the file, because the new mirror has stored the loss. */
export function lossIsKnown(config: Config): void {
  rmSync(join(config.data_dir, LOSS_FILE), { force: true });
}
