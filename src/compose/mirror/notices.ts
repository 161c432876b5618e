import type { Config } from '../../config.ts';
import { readDay, type StayRow } from '../../console/today/query.ts';
import { countWaiting } from '../../console/today/waiting.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Briefing, NoticeAlarm, NoticesContext } from '../../notices/context.ts';
import { NoticeService } from '../../notices/manage.ts';
import { Notices } from '../../notices/start.ts';
import { ServiceCaller } from '../../outbound/callService.ts';
import { MailSender, type MailServer } from '../../outbound/sendMail.ts';
import { targetRefusal } from '../../outbound/target.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Ports } from '../ports.ts';
import { reportFiles } from './reports.ts';

/** Milliseconds for a service to take a notice. */
const CALL_LIMIT_MS = 15_000;

/** What tells people, for all connections of this process. */
export interface OpenNotices {
  add(connection: ConnectionId): Promise<void>;
  remove(connection: ConnectionId): Promise<void>;
  service(connection: ConnectionId): NoticeService;
  stop(): Promise<void>;
}

interface NoticesOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
  daemon: Daemon;
  /** True if this process sends; it answers questions in any case. */
  sends: boolean;
  alarms(connection: ConnectionId): Promise<readonly NoticeAlarm[]>;
}

export function openNotices(options: NoticesOptions): OpenNotices {
  const { store, config, ports, log, userAgent, daemon, sends, alarms } = options;
  const policy = { allow: config.outbound.allow };
  const caller = new ServiceCaller({ clock: ports.clock, userAgent, policy, limitMs: CALL_LIMIT_MS });
  const server = mailServer(config);
  const mail = server && new MailSender(server);
  const contextOf = (connection: ConnectionId): NoticesContext => ({
    ...ports,
    store,
    connection,
    log,
    means: {
      refusalOf: (url) => targetRefusal(url, policy),
      call: (request) => caller.call(request),
      mail: mail ? (one) => mail.send(one) : null,
    },
    reports: reportFiles({ config, store, clock: ports.clock }, connection),
    zone: () => daemon.link(connection).zone(),
    alarms: () => alarms(connection),
    briefing: (date) => readBriefing(store, connection, date),
    page: (path) => (config.public_url === null ? null : `${config.public_url.replace(/\/$/, '')}/console/${path}`),
  });
  const running = new Map<ConnectionId, Notices>();
  return {
    async add(connection) {
      if (!sends) return;
      const notices = new Notices(contextOf(connection));
      await notices.start();
      running.set(connection, notices);
    },
    async remove(connection) {
      await running.get(connection)?.stop();
      running.delete(connection);
    },
    service: (connection) => new NoticeService(contextOf(connection), () => running.get(connection)?.wake()),
    async stop() {
      await Promise.all([...running.values()].map((one) => one.stop()));
      await caller.close();
      await mail?.close();
    },
  };
}

/** Returns the server for mail; undefined if none is set. */
function mailServer({ mail: { smtp } }: Config): MailServer | undefined {
  const { host, from } = smtp;
  return host === null || from === null ? undefined : { ...smtp, host, from };
}

/** Reads what the page Today shows, in figures and with the names of guests. */
async function readBriefing({ db }: MirrorStore, connection: ConnectionId, date: PlainDate): Promise<Briefing> {
  const day = await readDay(db, { connection, date, around: [date] });
  const brief = ({ property, number_of_guests: guests, guest }: StayRow) => ({ property, guests, guest });
  return {
    date,
    arrivals: day.arrivals.map(brief),
    departures: day.departures.map(brief),
    staying: day.staying.length + day.arrivals.length,
    waiting: await countWaiting(db, { connection, today: date }),
  };
}
