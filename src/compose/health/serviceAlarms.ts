import { directTroubles } from '../../channels/direct/health.ts';
import { feedTroubles } from '../../channels/feeds/health.ts';
import { mailTroubles } from '../../channels/mail/health.ts';
import type { CoreDb } from '../../core/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { OpenMirror } from '../mirror/openMirror.ts';
import { type Alarm, directAlarms, feedAlarms, mailAlarms } from './alarms.ts';

/** What needs a person, for those whom it concerns. */
export interface ServiceAlarms {
  /** Of the machine and of all accounts: for who runs the service. */
  all(): Promise<Alarm[]>;
  /** Of the machine and of one account with all that is mirrored for it. */
  forAccount(accountId: AccountId): Promise<Alarm[]>;
  /** Of the machine and of one account in the core, without any mirror; null: of the machine alone. */
  beside(accountId: AccountId | null): Promise<Alarm[]>;
}

interface Options {
  /** Returns the alarms of the machine. */
  ofMachine(): Alarm[];
  mirror: OpenMirror;
  /** null if no core runs here. */
  core: CoreDb | null;
  clock: Clock;
}

export function alarmsOfService({ ofMachine, mirror, core, clock }: Options): ServiceAlarms {
  const ofCore = async (isMeant: (trouble: { accountId: AccountId }) => boolean): Promise<Alarm[]> => {
    if (!core) return [];
    const now = clock.now();
    return [
      ...feedAlarms((await feedTroubles(core, now)).filter(isMeant)),
      ...directAlarms((await directTroubles(core)).filter(isMeant)),
      ...mailAlarms((await mailTroubles(core, now)).filter(isMeant)),
    ];
  };
  const beside = async (owner: AccountId | null) => [
    ...ofMachine(),
    ...(await ofCore(({ accountId }) => accountId === owner)),
  ];
  return {
    all: async () => [...ofMachine(), ...(await ofCore(() => true)), ...(await mirror.alarms())],
    forAccount: async (accountId) => [
      ...(await beside(accountId)),
      ...(await mirror.alarms(await mirror.services.connectionsOf(accountId))),
    ],
    beside,
  };
}
