import { z } from 'zod';
import { type Currency, fromWireAmount, type Minor } from '../../kernel/money.ts';

const time = z.object({ hour: z.number(), minute: z.number() }).nullable().catch(null);
const text = z.string().nullable().catch(null);
const line = z.object({
  name: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  currency: z.string(),
  amount: z.number(),
});
const lines = z.array(line).catch([]);

/** The fields of a stay that have no column; any of them may lack in another deployment. */
const shape = z.object({
  rates: z.object({ details: lines }).catch({ details: [] }),
  check_in_details: z
    .object({
      arrival_at: time,
      departure_at: time,
      lock_code: z.unknown(),
      lock_code_visible_after: text,
      check_in_guide_url: text,
    })
    .catch({
      arrival_at: null,
      departure_at: null,
      lock_code: null,
      lock_code_visible_after: null,
      check_in_guide_url: null,
    }),
  note: text,
  channel_remarks: text,
  custom_fields: z.record(z.string(), z.string()).nullable().catch(null),
  additional_fees: lines,
});

/** One line of a price. */
export interface PriceLine {
  name: string;
  minor: Minor;
  currency: Currency;
}

/** What a stay says beside its columns. */
export interface Details {
  lines: PriceLine[];
  fees: PriceLine[];
  /** `16:30`. */
  arrival: string | null;
  departure: string | null;
  hasLockCode: boolean;
  lockCodeAfter: string | null;
  guide: string | null;
  note: string | null;
  remarks: string | null;
  custom: readonly (readonly [name: string, text: string])[];
}

/** Reads what a stay says beside its columns. */
export function detailsOf(raw: string): Details {
  const { rates, check_in_details: checkIn, additional_fees, ...rest } = shape.parse(parsed(raw));
  return {
    lines: rates.details.flatMap(priceLine),
    fees: additional_fees.flatMap(priceLine),
    arrival: timeText(checkIn.arrival_at),
    departure: timeText(checkIn.departure_at),
    hasLockCode: checkIn.lock_code !== null && checkIn.lock_code !== undefined,
    lockCodeAfter: checkIn.lock_code_visible_after,
    guide: checkIn.check_in_guide_url,
    note: rest.note,
    remarks: rest.channel_remarks,
    custom: Object.entries(rest.custom_fields ?? {}),
  };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw) ?? {};
  } catch {
    return {};
  }
}

function priceLine({ name, type, description, currency, amount }: z.output<typeof line>): PriceLine[] {
  const minor = fromWireAmount(amount, currency);
  const words = [name, type === undefined ? undefined : plainWord(type), description].filter(Boolean);
  return minor === undefined ? [] : [{ name: words.join(', '), minor, currency }];
}

/** `CLEANING_FEE` as "Cleaning fee". */
function plainWord(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function timeText(at: { hour: number; minute: number } | null): string | null {
  return at && [at.hour, at.minute].map((part) => String(part).padStart(2, '0')).join(':');
}
