import type { RefusalReason } from '../verifyDelivery.ts';

/** The message about deliveries that are refused for a reason, and the remedy. */
interface Remedy {
  says: string;
  remedy: string;
  /**
   * known: the sender has the secret, or there is none, so the fault is in our proof settings · perhaps: anyone could
   * have sent it, but not by accident · nobody: anyone could, and does.
   */
  from: 'known' | 'perhaps' | 'nobody';
}

/** The message and the remedy for each reason of a refusal. */
export const remedies: Readonly<Record<RefusalReason, Remedy>> = {
  unsigned: {
    says: 'they carry the right token and no signature, so this deployment signs nothing',
    remedy: 'set webhook_authentication: token for the connection, and start stayd again',
    from: 'known',
  },
  without_token: {
    says: 'they are signed rightly and carry no token, so this deployment only signs',
    remedy: 'set webhook_authentication: signature for the connection, and start stayd again',
    from: 'known',
  },
  other_header: {
    says: 'they carry the right secret in another header than the one of the profile',
    remedy: 'choose the profile of that deployment for the connection (webhook_secret_header), and start stayd again',
    from: 'known',
  },
  late_signature: {
    says: 'they are signed rightly, but for a time that is more than five minutes from ours',
    remedy: 'set the clock of this machine by NTP; if it is right, that of the deployment is wrong',
    from: 'known',
  },
  unreadable: {
    says: 'they are proven, and their body is no event',
    remedy: 'see that only webhooks of the mirrored service are sent to this URL',
    from: 'known',
  },
  no_secret: {
    says: 'they cannot be proven, since no secret is known here',
    remedy:
      'set webhook_secret for the connection; if no operation of the deployment returns it, ' +
      'trust_first_secret: true takes it from the first delivery',
    from: 'perhaps',
  },
  wrong_signature: {
    says: 'their signature is made with another secret',
    remedy: 'set webhook_secret to the secret of the webhook there, or let ./stayd webhook register make a new one',
    from: 'perhaps',
  },
  wrong_token: {
    says: 'they carry another secret than ours',
    remedy: 'set webhook_secret to the secret of the webhook there, or let ./stayd webhook register make a new one',
    from: 'perhaps',
  },
  unproven: { says: 'they carry neither a token nor a signature', remedy: 'nothing has to be done', from: 'nobody' },
};
