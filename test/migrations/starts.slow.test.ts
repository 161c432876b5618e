import { describe } from 'node:test';
import { describeUpgrades } from './support/upgrades.ts';

describe('a service that starts on a database of any landing', () => describeUpgrades());
