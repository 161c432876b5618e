import { describe } from 'node:test';
import { worldsComeOutRight } from './worldTests.ts';

describe('worlds in which everything goes wrong, and reconciliations mend what events do not tell', () =>
  worldsComeOutRight('R1', 16));
