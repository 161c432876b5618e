import type { FastifyInstance } from 'fastify';
import { lookAtPayment } from '../../channels/direct/payments/look.ts';
import { openHookSecret, readSettings, STRIPE_HOOK_PATH } from '../../channels/direct/payments/settings.ts';
import { readNotice } from '../../channels/direct/payments/stripe.ts';
import { paymentBySession } from '../../channels/direct/payments/table.ts';
import type { DirectWork } from '../../channels/direct/work.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { requestLog } from '../http/requestLog.ts';

const BODY_BYTES = 262_144;

/**
 * Serves `POST /payments/stripe/<account>`: where the provider tells that something has happened. Only the number of the
 * payment is taken from it; what happened is read from the provider.
 */
export function serveStripeHook(app: FastifyInstance, work: DirectWork, log: Logger): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post<{ Params: { account: string } }>(`${STRIPE_HOOK_PATH}/:account`, async (request, reply) => {
      const { params, body, headers } = request;
      const { core } = work;
      const account = params.account as AccountId;
      const secret = openHookSecret(core, await readSettings(core.store.db, account));
      const signature = [headers['stripe-signature'] ?? ''].flat().join(',');
      const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
      const told = secret === undefined ? undefined : readNotice(secret, { signature, body: bytes }, core.clock.now());
      if (!told) return reply.code(400).send({ error: { message: 'The signature is not that of this account.' } });
      const payment = await paymentBySession(core.store.db, account, told.objectId);
      try {
        if (payment) await lookAtPayment(work, payment);
      } catch (error) {
        // The worker looks at it again by itself.
        requestLog(log, request).error(
          { payment: payment?.id, err: error, problem: messageOf(error) },
          'a payment could not be looked at',
        );
        return reply.code(503).send({ error: { message: 'Try again.' } });
      }
      return reply.code(200).send({ received: true });
    });
  });
}
