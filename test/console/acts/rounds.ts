import { DESK } from './desk.ts';
import { KEYED } from './keyed.ts';
import { OFFICE } from './office.ts';
import type { Act } from './stage.ts';

/** The acts once, with a way of its own to use the pages. */
interface Round {
  /** Part of the names of all that is made in it. */
  readonly name: string;
  readonly about: string;
  /** In pixels. */
  readonly window: { readonly width: number; readonly height: number };
  readonly acts: readonly Act[];
}

const POINTED = [...DESK, ...OFFICE];

/** At a desk, on a telephone, and without a mouse. */
export const ROUNDS: readonly Round[] = [
  { name: '1280', about: '1280 pixels wide', window: { width: 1_280, height: 900 }, acts: POINTED },
  { name: '360', about: '360 pixels wide', window: { width: 360, height: 900 }, acts: POINTED },
  { name: 'keys', about: 'by the keyboard alone', window: { width: 1_280, height: 900 }, acts: KEYED },
];

/** The names of the rounds. */
export const ROUND_NAMES: readonly string[] = ROUNDS.map(({ name }) => name);
