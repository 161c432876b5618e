/** A test of `npm test` or `npm run test:slow` that proves a row of the list of faults, and what it goes through. */
export interface Proof {
  file: string;
  /** As it stands in the file; what is not a plain text is left out. */
  test: string;
  figure: string;
}

/** Rows that are proven with files, processes or a clock of their own each time the tests run. */
export const provenByTests: Readonly<Record<string, readonly Proof[]>> = {
  R2: [
    {
      file: 'test/store/powerLoss.test.ts',
      test: 'leaves the commits that were on the disk, wherever the log is cut',
      figure: 'the log of 16 commits cut at every 512 bytes: always a prefix, integrity_check ok',
    },
    {
      file: 'test/store/powerLoss.test.ts',
      test: 'leaves the commits before a flipped bit, wherever it is',
      figure: '100 flipped bits: always a prefix',
    },
  ],
  R6: [
    {
      file: 'test/service/damage.slow.test.ts',
      test: 'flipped bytes in 100 pages: found at the start, moved away, read again, the feed goes on',
      figure: '100 pages: found, read again, verify clean, automations disarmed',
    },
    {
      file: 'test/service/damage.slow.test.ts',
      test: 'is not served on once the damage is met: the service starts again with a new one',
      figure: 'every page overwritten under the running service: served again by itself',
    },
  ],
  R11: [
    {
      file: 'test/client/client.test.ts',
      test: 'only 0 and 200 in the body are success, whatever integer is there',
      figure: 'all integers that fast-check draws, and a missing code',
    },
  ],
  R12: [
    {
      file: 'test/client/client.test.ts',
      test: 'an answer cut at any byte is a failure, never half an answer',
      figure: 'each byte of an answer',
    },
  ],
  R14: [
    {
      file: 'test/sync/ingest/events.slow.test.ts',
      test: 'a late old answer does not overwrite a newer one',
      figure: 'and 60 worlds of npm run sim with reordered deliveries: 0 violations',
    },
  ],
  R15: [
    {
      file: 'test/service/faults.slow.test.ts',
      test: '30 % dropped: something is missing, and one reconcile mends it',
      figure: '120 operations, three of ten events dropped: 0 differences after one reconcile',
    },
  ],
  R16: [
    {
      file: 'test/sync/scans/reconciliations.slow.test.ts',
      test: 'what sends no event is found within the age of its tier',
      figure: 'each within the age of its tier',
    },
  ],
  R17: [
    {
      file: 'test/sync/ingest/verifyDelivery.test.ts',
      test: 'a signature counts for 300 seconds in either direction',
      figure: '300 s either way',
    },
    {
      file: 'test/cli/doctor.slow.test.ts',
      test: 'a clock that has gone back',
      figure: 'found by doctor',
    },
  ],
  R18: [
    {
      file: 'test/sync/ingest/events.slow.test.ts',
      test: 'one id with two bodies: the first is kept, both keys are read again',
      figure: '0 crashes, both keys read',
    },
    {
      file: 'test/sync/ingest/verifyDelivery.test.ts',
      test: 'whatever the body holds, it is taken in exactly when the contract calls it an event',
      figure: 'whatever fast-check draws',
    },
  ],
  R19: [
    {
      file: 'test/client/client.test.ts',
      test: 'rows keep unknown fields and either spelling; unknown values of open sets pass',
      figure: 'additions pass and are kept',
    },
    {
      file: 'test/sync/ingest/events.slow.test.ts',
      test: 'a row that nothing names is quarantined, and the others go on',
      figure: 'one row aside, the others stored',
    },
  ],
  R23: [
    {
      file: 'test/sync/connection/trouble.slow.test.ts',
      test: 'one poison key does not hold up the others, and is given up after ten tries and a day',
      figure: 'given up after 10 tries and a day',
    },
  ],
  R25: [
    {
      file: 'test/sync/scans/scanList.test.ts',
      test: '10,000 scans through lists that change at random miss no row that stayed',
      figure: '10,000 scans: 0 missed',
    },
  ],
  R26: [
    {
      file: 'test/sync/scans/scans.slow.test.ts',
      test: 'mass disappearance and an empty answer delete nothing',
      figure: '0 deleted',
    },
  ],
  R27: [
    {
      file: 'test/kernel/dates.test.ts',
      test: 'withOffset and dateIn agree with Temporal, around every change of offset',
      figure: 'every change of offset of many zones',
    },
  ],
  R34: [
    {
      file: 'test/service/simulate.slow.test.ts',
      test: 'is the same as on SQLite: what happened, prices, calendars, lists; and the mirror equals the core',
      figure: 'one seed on both: the same',
    },
  ],
  R36: [
    {
      file: 'test/service/backup.slow.test.ts',
      test: 'restores what was acknowledged before it, catches up, and verify is clean',
      figure: '0 of what was answered before the backup is missing',
    },
  ],
  R37: [
    {
      file: 'test/core/limits/model.test.ts',
      test: 'random requests, over days of bursts and quiet',
      figure: '1,000,000 random requests: 0 disagreements',
    },
  ],
};
