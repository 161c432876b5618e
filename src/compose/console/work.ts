import type { PortalServices } from '../../api/portal/route.ts';
import type { LinkHolder, WorkServices } from '../../console/work/services.ts';
import { lookOf } from '../../core/brands/brand.ts';
import type { Core } from '../../core/context.ts';
import { type Worker, workerOf } from '../../core/staffLinks/links.ts';
import { markOwnTask, ownTasks, reportDamage } from '../../core/staffLinks/work.ts';

/** Returns what the secret links of those who do tasks show and do, in the core of this process. */
export function workServices(core: Core, mirror: PortalServices['mirror']): WorkServices {
  // A page carries the name; what the link opens stays here.
  const workers = new WeakMap<LinkHolder, Worker>();
  const of = (holder: LinkHolder): Worker => {
    const worker = workers.get(holder);
    if (!worker) throw new Error('a page of work was made for nobody');
    return worker;
  };
  /** No event announces a task: the mirror is told to read it. */
  const readAgain = async ({ account }: Worker, id: number) => {
    for (const connection of await mirror.connectionsOf(account.account_id)) {
      await mirror.readAgain(connection, [{ resource: 'task', key: String(id) }]);
    }
  };
  return {
    now: () => core.clock.now(),
    async workerOf(token) {
      const worker = await workerOf(core, token);
      if (!worker) return undefined;
      const holder = { key: `${worker.account.account_id} ${worker.staffId}`, name: worker.name };
      workers.set(holder, worker);
      return holder;
    },
    lookOf: (holder) => lookOf(core.store.db, of(holder).account),
    tasksOf: (holder) => ownTasks(core, of(holder)),
    async mark(holder, change) {
      await markOwnTask(core, of(holder), change);
      await readAgain(of(holder), change.id);
    },
    async reportDamage(holder, damage) {
      await readAgain(of(holder), await reportDamage(core, of(holder), damage));
    },
  };
}
