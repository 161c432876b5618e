import { describe } from 'node:test';
import { describeUpgrades } from './support/upgrades.ts';

/** Of the older states every so many; all of them by `npm run upgrades`. */
const EACH = 5;

describe('a service that starts on a database of a landing', () => describeUpgrades(EACH));
