import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/port.ts';
import { Facts } from '../prove/facts.ts';
import { type Place, type ProvenService, startProven } from '../prove/service.ts';
import { importAll, settle } from '../prove/wholeImport.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DATA_SET = 'hotel_bookings.csv.gz';

/** The built service with all real bookings, in a process and a folder of its own. */
export interface WholeService {
  readonly place: Place;
  readonly facts: Facts;
  readonly service: ProvenService;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

interface Source {
  /** A folder with the data set, which is imported. */
  data?: string | undefined;
  /** The data directory of a service that has imported it, which is copied. */
  use?: string | undefined;
}

/** Starts it without rate limits. @param environment further settings */
export async function startWhole(
  { data, use }: Source,
  environment: Readonly<Record<string, string>> = {},
): Promise<WholeService> {
  const file = resolve(data ?? '', DATA_SET);
  if (use === undefined && !existsSync(file)) {
    throw new Error(`give --data FOLDER, with ${DATA_SET} in it, or --use FOLDER`);
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'stayd-bench-'));
  if (use !== undefined) cpSync(use, dataDir, { recursive: true });
  const place = { root: ROOT, dataDir, port: await freePort(), environment: { STAYD_LIMITS: 'off', ...environment } };
  const facts = new Facts(place);
  const service = await startProven(place);
  const whole: WholeService = {
    place,
    facts,
    service,
    async remove() {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  try {
    if (use === undefined) await importInto(whole, file);
    return whole;
  } catch (error) {
    await whole.remove();
    throw error;
  }
}

async function importInto({ service, facts }: WholeService, file: string): Promise<void> {
  const { code, out } = await importAll(service, file);
  if (code !== 0) throw new Error(out);
  await settle(facts);
}
