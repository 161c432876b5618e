/** A database file that cannot be used any longer. */
export interface Damage {
  half: 'core' | 'mirror';
  /**
   * `damaged`: the contents differ from what was written. `disk`: the disk failed, and the file must be opened again.
   */
  kind: 'damaged' | 'disk';
  problem: string;
}

/** Reports damage once, whichever part meets it first. */
export interface DamageWatch {
  found(damage: Damage): void;
  /** Resolves at the first damage; never resolves otherwise. */
  readonly first: Promise<Damage>;
}

export function watchDamage(): DamageWatch {
  let found: (damage: Damage) => void = () => {};
  const first = new Promise<Damage>((resolve) => (found = resolve));
  return { found, first };
}

/** Describes the damage of a half. */
export function damageText({ half, kind, problem }: Damage): string {
  return kind === 'damaged' ? `${half}.db is damaged` : `the disk of ${half}.db has failed (${problem})`;
}
