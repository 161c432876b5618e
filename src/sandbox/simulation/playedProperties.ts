import type { Core } from '../../core/context.ts';
import { createPropertyIn } from '../../core/properties/handlers.ts';
import { editSettings } from '../calendar.ts';
import { connectAccount, listingNamed, putOnMarketplace } from '../listing.ts';
import { marketplaces } from '../channel/adapters.ts';
import type { Channel, PlannedProperty, Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { PROPERTY_NAMES, PLACES } from './words.ts';

/** A property on its marketplaces. */
export interface PlayedProperty {
  property_id: number;
  base_price: number;
  /** Names of its listings by marketplace. */
  listings: ReadonlyMap<Channel, string>;
}

/** Opens an account on each marketplace that is used. @returns their ids */
export async function openAccounts(
  stage: Stage,
  { properties }: Scenario,
  connected: () => void,
): Promise<ReadonlyMap<Channel, number>> {
  const accounts = new Map<Channel, number>();
  for (const channel_type of marketplaces.filter((one) => properties.some(({ channels }) => channels.includes(one)))) {
    const username = `${stage.owner.account.name} on ${channel_type}`;
    accounts.set(
      channel_type,
      await stage.change((change) => connectAccount(change, { channel_type, username, authorize: true })),
    );
    connected();
  }
  return accounts;
}

/** Counts the properties of the account. Further ones are numbered from there. */
export async function propertiesSoFar({ store }: Core, { account }: Stage['owner']): Promise<number> {
  const { total } = await store.db
    .selectFrom('properties')
    .where('account_id', '=', account.account_id)
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** Creates a property and its listings. */
export function openProperty(
  stage: Stage,
  { base_price, cleaning_fee, channels }: PlannedProperty,
  { number, accounts }: { number: number; accounts: ReadonlyMap<Channel, number> },
): Promise<PlayedProperty> {
  return stage.change(async (change) => {
    const { time_zone, currency } = change.account;
    const title = `${PLACES[number % PLACES.length]} ${PROPERTY_NAMES[number % PROPERTY_NAMES.length]} ${number}`;
    const property_id = await createPropertyIn(change, { name: title, time_zone, currency });
    const listings = new Map<Channel, string>();
    for (const channel of channels) {
      const channel_account_id = accounts.get(channel) ?? 0;
      const named = await putOnMarketplace(change, { channel_account_id, property_id, title, base_price });
      if (cleaning_fee > 0) await editSettings(change, await listingNamed(change, named), { cleaning_fee });
      listings.set(channel, named.listing_id);
    }
    return { property_id, base_price, listings };
  });
}

/** Returns the name of a property's listing on a marketplace. */
export function listingOn({ listings }: PlayedProperty, channel_type: Channel) {
  const listing_id = listings.get(channel_type);
  if (listing_id === undefined) throw new Error(`the property is not on ${channel_type}`);
  return { channel_type, listing_id };
}
