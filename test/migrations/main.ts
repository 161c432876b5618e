import { describe } from 'node:test';
import { describeUpgrades } from './support/upgrades.ts';

// `npm run upgrades`: databases of every state that has landed come to today’s.
describe('a service that starts on a database of any landing', () => describeUpgrades(1));
