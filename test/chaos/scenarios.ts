import { backupKills } from './rows/backupKills.ts';
import { copies } from './rows/copies.ts';
import { cutOffWorker } from './rows/cutOffWorker.ts';
import { failedCoreSyncs } from './rows/failedCoreSyncs.ts';
import { failedSyncs } from './rows/failedSyncs.ts';
import { failingUpstream } from './rows/failingUpstream.ts';
import { foreign } from './rows/foreign.ts';
import { foreignLocks, longReader } from './rows/foreignLocks.ts';
import { fullDisk } from './rows/fullDisk.ts';
import { fullWrites } from './rows/fullWrites.ts';
import { hostileCallers } from './rows/hostileCallers.ts';
import { hugePayloads } from './rows/hugePayloads.ts';
import { ingestKills } from './rows/ingestKills.ts';
import { limitedUpstream } from './rows/limitedUpstream.ts';
import { lyingUpstream } from './rows/lyingUpstream.ts';
import { migrationKills } from './rows/migrationKills.ts';
import { parity } from './rows/parity.ts';
import { poison } from './rows/poison.ts';
import { postgresRestarts } from './rows/postgresRestarts.ts';
import { primaryDeaths } from './rows/primaryDeaths.ts';
import { refusedToken } from './rows/refusedToken.ts';
import { rollingRestarts } from './rows/rollingRestarts.ts';
import { serviceKills } from './rows/serviceKills.ts';
import { shiftingLists } from './rows/shiftingLists.ts';
import { slowUpstream } from './rows/slowUpstream.ts';
import { smallHeap } from './rows/smallHeap.ts';
import { soak } from './rows/soak.ts';
import { secondDaemon, stoppedWorker } from './rows/stoppedWorker.ts';
import { timeZones } from './rows/timeZones.ts';
import type { Scenario } from './scenario.ts';

/** Every kind of fault that is done to real processes, in the order of the rows it belongs to. */
export const scenarios: readonly Scenario[] = [
  ingestKills,
  serviceKills,
  fullDisk,
  fullWrites,
  failedSyncs,
  failedCoreSyncs,
  foreignLocks,
  longReader,
  smallHeap,
  failingUpstream,
  slowUpstream,
  limitedUpstream,
  lyingUpstream,
  copies,
  refusedToken,
  hugePayloads,
  poison,
  shiftingLists,
  timeZones,
  migrationKills,
  secondDaemon,
  stoppedWorker,
  cutOffWorker,
  postgresRestarts,
  primaryDeaths,
  rollingRestarts,
  parity,
  soak,
  backupKills,
  hostileCallers,
  foreign,
];
