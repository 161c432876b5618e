import { addDays, dateIn } from '../../kernel/dates.ts';
import { updateAvailabilities } from '../../core/availabilities/handlers.ts';
import { changeAuthStatus } from '../../core/channels/accounts.ts';
import { updatePrices, updateRestrictions } from '../../core/channels/handlers.ts';
import { changeShelfStatus } from '../../core/channels/listings.ts';
import { steerNextPush } from '../channel/steer.ts';
import { editCalendar, editSettings } from '../calendar.ts';
import { listingNamed } from '../listing.ts';
import { type PlayedProperty, listingOn } from './playedProperties.ts';
import type { Channel, HostStep } from './scenario.ts';
import type { Stage } from './stage.ts';

/** The subject of a host's step. */
interface Subject {
  played: PlayedProperty;
  channel: Channel;
  /** The account on that marketplace. */
  channelAccount: number;
}

interface Span {
  from: number;
  to: number;
}

/**
 * Takes a step of a host, or of a marketplace towards its host. All earlier pushes finish before it, and its own pushes
 * after it, so that every run gives the same result.
 */
export async function takeHostStep(stage: Stage, subject: Subject, step: HostStep): Promise<void> {
  await stage.calendarsDone();
  await act(stage, subject, step);
  await stage.calendarsDone();
}

async function act(stage: Stage, { played, channel, channelAccount }: Subject, step: HostStep): Promise<void> {
  const name = listingOn(played, channel);
  const datesOf = ({ from, to }: Span) => {
    const today = dateIn(stage.owner.account.time_zone, stage.core.clock.now());
    return { start_date: addDays(today, from), end_date: addDays(today, to) };
  };
  const priceOf = ({ percent }: { percent: number }) => Math.round((played.base_price * percent) / 100);
  const setPrices = (priced: Span & { percent: number }) =>
    updatePrices({ ...name, prices: [{ ...datesOf(priced), price: priceOf(priced) }] }, stage.host());
  switch (step.kind) {
    case 'set_prices':
      await setPrices(step);
      return;
    case 'set_restrictions': {
      const rule = { ...datesOf(step), min_stay_on_arrival: step.least };
      await updateRestrictions({ ...name, restrictions: [rule] }, stage.host());
      return;
    }
    case 'block': {
      const property_ids = [played.property_id];
      await updateAvailabilities({ property_ids, available: false, ...datesOf(step) }, stage.host());
      return;
    }
    case 'edit_calendar': {
      const prices = [{ ...datesOf(step), price: priceOf(step) }];
      await stage.change(async (change) => editCalendar(change, await listingNamed(change, name), { prices }));
      return;
    }
    case 'edit_settings': {
      const { cleaning_fee } = step;
      await stage.change(async (change) => editSettings(change, await listingNamed(change, name), { cleaning_fee }));
      return;
    }
    case 'push':
      await stage.change(async (change) => steerNextPush(change, await listingNamed(change, name), step.outcome));
      await setPrices(step);
      await stage.calendarsDone();
      // The host sees the failure and repeats the step.
      await setPrices(step);
      return;
    case 'shelf':
      await stage.change(async (change) =>
        changeShelfStatus(change, (await listingNamed(change, name)).id, step.trigger),
      );
      return;
    case 'auth':
      await stage.change((change) => changeAuthStatus(change, channelAccount, step.trigger));
  }
}

/** Returns the name under which a step is counted. */
export function nameOfHost(step: HostStep): string {
  if (step.kind === 'push') return `push_${step.outcome}`;
  if (step.kind === 'shelf') return step.trigger;
  return step.kind === 'auth' ? `account_${step.trigger}` : step.kind;
}
