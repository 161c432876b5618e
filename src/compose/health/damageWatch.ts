/** A database file that cannot be gone on with. */
export interface Damage {
  half: 'core' | 'mirror';
  /** `damaged`: it is not what was written to it. `disk`: the disk has failed, and the file must be opened anew. */
  kind: 'damaged' | 'disk';
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

/** What has happened to a half, in words. */
export function damageText({ half, kind, problem }: Damage): string {
  return kind === 'damaged' ? `${half}.db is damaged` : `the disk of ${half}.db has failed (${problem})`;
}
