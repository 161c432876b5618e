/** A database file that is not what was written to it. */
export interface Damage {
  half: 'core' | 'mirror';
  problem: string;
}

/** Tells of damage once, whoever meets it first. */
export interface DamageWatch {
  found(damage: Damage): void;
  /** Resolves at the first damage; never where there is none. */
  readonly first: Promise<Damage>;
}

export function watchDamage(): DamageWatch {
  let found: (damage: Damage) => void = () => {};
  const first = new Promise<Damage>((resolve) => (found = resolve));
  return { found, first };
}
