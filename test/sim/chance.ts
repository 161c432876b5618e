import { createHash } from 'node:crypto';
import type { Random } from '../../src/kernel/random.ts';
import { type Dice, seededDice } from '../../src/kernel/seeded.ts';

/** Chance of one component of a world: a draw more in one shifts no other. */
export function diceOf(seed: number, component: string): Dice {
  return seededDice(createHash('sha256').update(`${seed} ${component}`).digest().readInt32BE());
}

/** The same as a port of the program. */
export function randomOf(seed: number, component: string): Random {
  const { fraction, between } = diceOf(seed, component);
  return { fraction, bytes: (count) => Buffer.from(Array.from({ length: count }, () => between(0, 255))) };
}
