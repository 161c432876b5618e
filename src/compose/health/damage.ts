import type { Config } from '../../config.ts';
import { messageOf, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { checkInBackground } from '../../store/sqlite/integrity.ts';
import { type Damage, type DamageWatch, damageText } from './damageWatch.ts';
import { locationOf } from '../stores/stores.ts';

/** Thrown when a start meets damage. */
export class DamagedError extends OperatorError {
  readonly damage: Damage;

  constructor(damage: Damage, cause: unknown) {
    super(
      damage.kind === 'damaged' ? `${damageText(damage)}: ${damage.problem}` : damageText(damage),
      damage.kind === 'damaged' ? './stayd start moves a damaged mirror away' : 'check the disk that it lies on',
      cause,
    );
    this.damage = damage;
  }
}

/** Returns the damage behind a failed start, or the error itself. */
export async function asDamage(error: unknown, watch: DamageWatch): Promise<unknown> {
  const damage = await Promise.race([watch.first, Promise.resolve(undefined)]);
  return damage ? new DamagedError(damage, error) : error;
}

/** Checks database files completely, beside the running service. */
export async function findDamage(
  config: Config,
  halves: readonly Damage['half'][],
  { log, watch }: { log: Logger; watch: DamageWatch },
): Promise<void> {
  for (const half of halves) {
    const location = locationOf(config, half);
    if (location.kind !== 'sqlite') continue;
    try {
      const [problem] = await checkInBackground(location.file, { isAwaited: false });
      if (problem !== undefined) watch.found({ half, kind: 'damaged', problem });
    } catch (error) {
      log.warn({ file: location.file, problem: messageOf(error) }, 'the database could not be checked');
    }
  }
}

/** Returns the error for a damaged core, which only a person can repair, because no copy of its truth exists. */
export function coreDamaged(config: Config, problem: string): OperatorError {
  return new OperatorError(
    `core.db in ${config.data_dir} is damaged: ${problem}`,
    'move the data directory away, and bring back the last backup: ./stayd restore FILE',
  );
}
