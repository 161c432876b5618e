import { describeAlerts } from './describeAlerts.ts';
import { faultsInside } from './faults.ts';

describeAlerts('alerts about the mirror and the process', faultsInside);
