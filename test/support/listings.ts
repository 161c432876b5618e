import { changeAuthStatus, connectChannelAccount } from '../../src/core/channels/accounts.ts';
import { listOnMarketplace, type MarketplaceListing } from '../../src/sandbox/channel/steer.ts';
import type { TestAccount, TestCore } from './core.ts';

export interface Listed {
  id: number;
  channel_account_id: number;
  channel_type: string;
  listing_id: string;
}

let made = 0;

/** A listing of the property on an active account of the channel; what its making leaves to do is done. */
export async function listOn(
  core: TestCore,
  channel_type: string,
  property_id: number,
  more: Partial<MarketplaceListing> = {},
  { account }: TestAccount = core.own,
): Promise<Listed> {
  made += 1;
  const listing_id = more.listing_id ?? `L${made}`;
  const listed = await core.change(account, async (change) => {
    const draft = { channel_type, username: `host ${made}`, origin_account_id: `origin ${made}` };
    const channel_account_id = more.channel_account_id ?? (await connectChannelAccount(change, draft));
    if (more.channel_account_id === undefined) await changeAuthStatus(change, channel_account_id, 'authorize');
    const given = { title: `Listing ${made}`, base_price: 100, ...more };
    const id = await listOnMarketplace(change, { ...given, channel_account_id, property_id, listing_id });
    return { id, channel_account_id, channel_type, listing_id };
  });
  await core.workCalendars();
  return listed;
}
