import { describe } from 'node:test';
import { worldsComeOutRight } from './worldTests.ts';

describe('worlds in which nothing is dropped, and nothing but events mends the mirror', () =>
  worldsComeOutRight('R2', 28));
