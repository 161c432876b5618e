import { type Minor, splitByWeights } from '../../../kernel/money.ts';

/** The values of a room that determine its part of the tax. */
export interface TaxedRoom {
  readonly status: string | null;
  readonly currency: string | null;
  readonly rate: Minor | null;
  /** As upstream shows it. */
  readonly tax: Minor | null;
}

/**
 * Returns the parts of the tax of one reservation that its rooms have, in their order. Upstream shows the tax of the
 * whole reservation on each room. It is shared once, in proportion to the rates, over the accepted rooms if there are
 * any. Amounts that differ are those of the rooms themselves.
 */
export function taxShares(rooms: readonly TaxedRoom[]): (Minor | null)[] {
  const [first] = rooms;
  const tax = first?.tax ?? null;
  const isWhole = rooms.every((room) => room.tax === tax && room.currency === first?.currency);
  if (tax === null || !isWhole || rooms.length < 2) return rooms.map((room) => room.tax);
  const anyAccepted = rooms.some(({ status }) => status === 'accepted');
  const bearing = rooms.filter(({ status }) => !anyAccepted || status === 'accepted');
  const rates = bearing.map(({ rate }) => rate ?? 0);
  const isFair = rates.every((rate) => rate >= 0) && rates.some((rate) => rate > 0);
  const parts = splitByWeights(
    tax,
    rates.map((rate) => (isFair ? rate : 1)),
  );
  return rooms.map((room) => parts[bearing.indexOf(room)] ?? 0);
}
