import { bend } from './bend.ts';
import type { FieldFault } from './faults.ts';
import { describedRows, type RecordOf, type ResourceName, type Row } from './described.ts';
import { hidden, hostexRow } from './hostex.ts';
import type { Channel } from './records.ts';
import { withOffset } from './time.ts';
import type { Truth } from './truth.ts';

export type { ResourceName, Row } from './described.ts';

/** described: after the description. hostex: after the pages on the public service. */
export type Dialect = 'described' | 'hostex';

const channelNames: Record<Dialect, Record<Channel, string>> = {
  described: {
    A: 'marketplace_a',
    B: 'marketplace_b',
    C: 'marketplace_c',
    regional: 'regional_marketplace',
    site: 'booking_site',
    direct: 'direct',
    agoda: 'agoda',
  },
  hostex: {
    A: 'airbnb',
    B: 'vrbo',
    C: 'booking.com',
    regional: 'ctrip',
    site: 'booking_site',
    direct: 'hostex_direct',
    agoda: 'agoda',
  },
};

/** A channel as the description calls it, and so everybody who reads after it. */
export function describedChannel(channel: Channel): string {
  return channelNames.described[channel];
}

export function channelWord(dialect: Dialect, channel: Channel): string {
  return channelNames[dialect][channel];
}

export function channelCalled(dialect: Dialect, name: string): Channel | undefined {
  const names = Object.entries(channelNames[dialect]) as [Channel, string][];
  return names.find(([, one]) => one === name)?.[0];
}

/** How rows are answered. */
export interface Show {
  channel(channel: Channel): string;
  row<Name extends ResourceName>(name: Name, record: RecordOf[Name]): Row;
  /** Whether this answer tells the field, by its path in the description's form. */
  tells<Name extends ResourceName>(name: Name, record: RecordOf[Name], path: string): boolean;
}

export function showing(truth: Truth, dialect: Dialect, faults: () => readonly FieldFault[]): Show {
  const channel = (one: Channel) => channelNames[dialect][one];
  const moment = (ms: number) => withOffset(ms, dialect === 'hostex' ? 'UTC' : truth.account.zone);
  const rows = describedRows(truth, { channel, moment });
  return {
    channel,
    row(name, record) {
      const full = rows[name](record);
      const own = dialect === 'hostex' ? hostexRow(truth, name, full) : full;
      return bend(own, name, faults());
    },
    tells(name, record, path) {
      if (dialect === 'described') return true;
      const untold = hidden(name, rows[name](record));
      return ![...untold.keys()].some((one) => path === one || path.startsWith(`${one}.`));
    },
  };
}
