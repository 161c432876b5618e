import { z } from 'zod';
import { addDays, daysBetween, isPlainDate, type PlainDate } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import { consoleAction } from '../../page.ts';
import type { Visit } from '../../visit.ts';
import { calendarAddress } from '../state.ts';
import { hasReasons } from './ours.ts';
import { type Place, placesOf, readHeld, readStays, requirePlace, type Stay } from './query.ts';

const day = z.string().refine(isPlainDate, 'must be a date such as 2027-03-01');

/** A stay, where it is to go, and what stands in its way. */
export interface Move {
  stay: Stay;
  /** Undefined: it is in the reservation box, or in a property that is gone. */
  from: Place | undefined;
  to: Place;
  arrive: PlainDate;
  leave: PlainDate;
  /** Stays that have a night there. */
  inTheWay: Stay[];
  /** True if a night there is blocked. */
  isBlocked: boolean;
  /** `none`: everything stays as it is. */
  kind: 'none' | 'dates' | 'property' | 'both';
}

interface Wish {
  code: string;
  to?: number | undefined;
  arrive?: PlainDate | undefined;
  leave?: PlainDate | undefined;
  /** Days by which the arrival moves, where no date is given. */
  shift?: number | undefined;
}

/** Looks at a move before it is made. @throws ApiError 404 if the person sees no such stay or no such property */
export async function readMove(visit: Visit, wish: Wish, places: readonly Place[]): Promise<Move> {
  const [stay] = await readStays(visit, [wish.code]);
  if (!stay) throw new ApiError(404, 'move: there is no such stay.', { field: 'move' });
  const to = requirePlace(places, wish.to ?? (stay.property_id || (places[0]?.id ?? 0)), 'to');
  const arrive = wish.arrive ?? addDays(stay.check_in_date, wish.shift ?? 0);
  const leave = leaveOf(stay, { ...wish, arrive });
  const held = await readHeld(visit, { property: to.id, from: arrive, end: leave });
  const [isElsewhere, isLater] = [to.id !== stay.property_id, datesDiffer(stay, { arrive, leave })];
  const kinds = { dates: isLater, property: isElsewhere };
  return {
    stay,
    from: places.find(({ id }) => id === stay.property_id),
    to,
    arrive,
    leave,
    inTheWay: await readStays(
      visit,
      held.codes.filter((code) => code !== stay.stay_code),
    ),
    isBlocked: held.blocks.length > 0,
    kind: kinds.dates && kinds.property ? 'both' : kinds.dates ? 'dates' : kinds.property ? 'property' : 'none',
  };
}

/** The nights stay as many as they are unless the day of leaving is given. */
function leaveOf(stay: Stay, { arrive, leave }: { arrive: PlainDate; leave?: PlainDate | undefined }): PlainDate {
  return leave !== undefined && leave > arrive
    ? leave
    : addDays(arrive, daysBetween(stay.check_in_date, stay.check_out_date));
}

function datesDiffer(stay: Stay, { arrive, leave }: { arrive: PlainDate; leave: PlainDate }): boolean {
  return arrive !== stay.check_in_date || leave !== stay.check_out_date;
}

/** Moves a stay to other dates, another property, or both. */
export const moveAction = consoleAction({
  name: 'move',
  right: 'calendar.move',
  fields: z.object({ move: z.string().max(100), to: z.coerce.number().int().min(1), arrive: day, leave: day }),
  async run(visit, fields) {
    if (fields.leave <= fields.arrive) throw invalid('leave', 'must be after the day of arrival');
    const move = await readMove(visit, { ...fields, code: fields.move }, await placesOf(visit));
    await make(visit, move);
    const { stay, to, arrive, leave } = move;
    const words = visit.texts.calendar.panel;
    const { day: dayText } = visit.format;
    const said = words.moved(guestOf(stay), to.name, words.span(dayText(arrive), dayText(leave)));
    return { said, to: calendarAddress(visit) };
  },
});

async function make(visit: Visit, { stay, to, arrive, leave, kind }: Move): Promise<void> {
  const { stay_code } = stay;
  const dates = { check_in_date: arrive, check_out_date: leave };
  if (kind === 'none') throw new ApiError(422, 'arrive: the stay is there already.', { field: 'arrive' });
  if (kind === 'dates') await visit.v3('updateReservation', { stay_code, ...dates });
  else if (kind === 'property') await visit.v3('allocateReservation', { stay_code, property_id: to.id });
  else if (hasReasons(visit)) {
    await visit.portal('POST /portal/stays/:stay_code/move', { stay_code, property_id: to.id, ...dates });
  } else throw new ApiError(422, 'to: change the dates first, then the property.', { field: 'to' });
}

/** Names a stay by its guest, else by its code. */
export function guestOf({ guest, stay_code }: Stay): string {
  return guest ?? stay_code;
}
