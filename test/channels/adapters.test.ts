import type { ChannelListing } from '../../src/core/channels/adapter.ts';
import { steerNextAnswer } from '../../src/sandbox/channel/requests.ts';
import { steerNextPush } from '../../src/sandbox/channel/steer.ts';
import { startCore } from '../support/core.ts';
import { listOn } from '../support/listings.ts';
import { channelContract, type ChannelUnderTest } from './contract.ts';
import { openNoticeboard } from './noticeboard.ts';

const EVERY = ['calendars', 'posts', 'requests'] as const;

channelContract('a channel made from the description alone', EVERY, openNoticeboard);
channelContract('marketplace_a', EVERY, () => openSandbox('marketplace_a', ['cleaning_fee', 25]));
channelContract('marketplace_b', EVERY, () => openSandbox('marketplace_b', ['max_guests', 7]));
channelContract('direct', ['posts'], async () => {
  const core = await startCore();
  return { adapter: core.core.channels.get('direct') ?? {}, posts: {}, close: () => core.close() };
});

async function openSandbox(
  channel_type: string,
  setting: NonNullable<ChannelUnderTest['calendars']>['setting'],
): Promise<ChannelUnderTest> {
  const core = await startCore();
  const { account } = core.own;
  const property = (await core.call('createProperty', { title: 'Mill' })).property_id;
  const listing = async (): Promise<ChannelListing> => {
    const { id, channel_account_id, listing_id } = await listOn(core, channel_type, property);
    return { account_id: account.account_id, id, listing_id, channel_type, channel_account_id, currency: 'EUR' };
  };
  const listings = [await listing(), await listing()] as const;
  let asked = 0;
  return {
    adapter: core.core.channels.get(channel_type) ?? {},
    calendars: {
      listings,
      unknown: { ...listings[0], id: 999_999, listing_id: 'unknown' },
      setting,
      steer: (one, outcome) => core.change(account, (change) => steerNextPush(change, one, outcome)),
    },
    posts: {},
    requests: {
      ask: async () => {
        asked += 1;
        return { account_id: account.account_id, channel_type, channel_id: `HM${asked}` };
      },
      refuse: (request) => core.change(account, (change) => steerNextAnswer(change, request)),
    },
    close: () => core.close(),
  };
}
