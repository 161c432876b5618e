import { bend } from './bend.ts';
import type { Faults } from './faults.ts';
import { describedRows, type RecordOf, type ResourceName, type Row } from './described.ts';
import { hidden, hostexRow, withholding } from './hostex.ts';
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

export function showing(truth: Truth, dialect: Dialect, faults: () => Pick<Faults, 'fields' | 'withheld'>): Show {
  const channel = (one: Channel) => channelNames[dialect][one];
  const moment = (ms: number) => withOffset(ms, dialect === 'hostex' ? 'UTC' : truth.account.zone);
  const rows = describedRows(truth, { channel, moment });
  const untold = (name: ResourceName, full: Row) => {
    const { withheld } = faults();
    const much = withheld === 'own' && dialect === 'hostex' ? 'usual' : withheld;
    return much === 'usual' || much === 'little' ? hidden(name, full, much) : new Map<string, 'missing' | 'null'>();
  };
  return {
    channel,
    row(name, record) {
      const full = rows[name](record);
      const told = withholding(full, untold(name, full));
      const own = dialect === 'hostex' ? hostexRow(truth, name, told) : told;
      return bend(own, name, faults().fields);
    },
    tells(name, record, path) {
      return ![...untold(name, rows[name](record)).keys()].some((one) => path === one || path.startsWith(`${one}.`));
    },
  };
}
