import { CallError } from '../../client/callError.ts';
import { namedStay, type Stay, stayColumns } from '../../sync/tables/reservations/stays.ts';
import type { Automating } from '../context.ts';
import { type PropertyFacts, type StayColumns, type StayDetails, type StayFacts, stayFacts } from '../facts/facts.ts';
import { clockText, isDated, propertiesById, textsOf } from '../facts/mirrorFacts.ts';

export type WireStay = Stay;

/** A stay as upstream has it now. */
export interface FreshStay {
  wire: WireStay;
  stay: StayFacts;
  property: PropertyFacts | null;
  /** The other rooms of the same reservation. */
  others: readonly WireStay[];
}

/** Reads a stay from upstream; undefined if it does not exist. Throws CallError. */
export async function readStay(
  context: Automating,
  { reservation_code, stay_code }: { reservation_code: string; stay_code: string },
): Promise<FreshStay | undefined> {
  const { client, signal, settings, zone, store } = context;
  const found = await staysOfReservation();
  const wire = found.find((one) => one.stay_code === stay_code);
  if (!wire) return undefined;
  const others = found.filter((one) => one !== wire);
  const columns = stayColumns(wire, { zone: zone() }) as unknown as StayColumns;
  // Unknown dates allow no computation.
  if (!isDated(columns)) return undefined;
  const properties = await propertiesById(store.db, context, wire.property_id === null ? [] : [wire.property_id]);
  const property = properties.get(wire.property_id ?? 0) ?? null;
  return { wire, property, others, stay: stayFacts(columns, detailsOf(wire)) };

  async function staysOfReservation(): Promise<WireStay[]> {
    try {
      const { data } = await client.call(
        'listReservations',
        { reservation_code, limit: 100 },
        { purpose: 'reply', signal },
      );
      const named = data.reservations.flatMap((one) => namedStay(one) ?? []);
      return named.filter((one) => one.reservation_code === reservation_code);
    } catch (error) {
      if (error instanceof CallError && error.code === 404) return [];
      throw error;
    }
  }

  function detailsOf({ tags, check_in_details: details, guests, custom_fields }: WireStay): StayDetails {
    return {
      tags,
      arrival: clockText(details?.arrival_at),
      departure: clockText(details?.departure_at),
      has_lock_code: details && details.lock_code !== null,
      has_document: (guests ?? []).some(
        ({ id_number, id_images }) => id_number !== null || (id_images ?? []).length > 0,
      ),
      custom_fields: textsOf(custom_fields),
      paidByChannel: settings.paidByChannel,
    };
  }
}
