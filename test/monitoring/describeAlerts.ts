import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startMarketplace } from '../channels/feeds/support/feedWorld.ts';
import { openEar } from '../notices/support/told.ts';
import { startTestService } from '../support/service.ts';
import { type Fault, scrape, type Watched } from './faults.ts';
import { begunBy, firing, type Scrape } from './promtool.ts';

/** Shows that each of these faults leads to its alert, in one service, and to no other alert. */
export function describeAlerts(name: string, faults: readonly Fault[]): void {
  describe(name, () => {
    const backups = mkdtempSync(join(tmpdir(), 'stayd-backups-'));
    let world: Watched;
    let state: Scrape;
    before(async () => {
      const [market, ear] = [await startMarketplace(), await openEar()];
      const service = await startTestService({
        STAYD_OUTBOUND_ALLOW: `${market.address},${ear.address}`,
        STAYD_BACKUP_TO: backups,
        STAYD_BACKUP_SCHEDULE: '0 3 1 1 *',
      });
      const { property_id: property } = await service.v3('POST', '/properties', { name: 'Sea House' });
      await service.settled();
      world = { service, market, ear, property };
    });
    after(async () => {
      await world.service.remove();
      await world.market.close();
      await world.ear.close();
      rmSync(backups, { recursive: true });
    });

    it('none fires while nothing is wrong', async () => {
      state = await scrape(world);
      assert.deepEqual(await firing(state), []);
    });

    for (const { alert, also = [], perhaps = [], make, mend } of faults) {
      it(`${alert} fires after its fault, and nothing else does`, async () => {
        const before = state;
        await make(world);
        state = await scrape(world);
        const begun = (await begunBy(before, state)).filter((one) => !perhaps.includes(one));
        assert.deepEqual(begun, [alert, ...also].toSorted());
        await mend?.(world);
      });
    }
  });
}
