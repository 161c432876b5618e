import { createHash } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type Pair = ReturnType<typeof nkeys.createUser>;

/** An operator with an account that may use streams, and a system account, as a server is told of them. */
export interface Operator {
  readonly account: Pair;
  /** Lines of the configuration. */
  readonly settings: string;
}

const ANY = { data: -1, payload: -1, subs: -1 };
const ACCOUNT = { ...ANY, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true };
const STREAMS = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };

export function operator(): Operator {
  const [self, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()];
  const signed = (of: Pair, limits: object) =>
    token(self, { sub: of.getPublicKey(), name: 'a', nats: { type: 'account', version: 2, limits } });
  const settings = [
    `operator: "${token(self, { sub: self.getPublicKey(), name: 'o', nats: { type: 'operator', version: 2 } })}"`,
    `system_account: ${system.getPublicKey()}`,
    'resolver: MEMORY',
    'resolver_preload: {',
    `  ${account.getPublicKey()}: "${signed(account, { ...ACCOUNT, ...STREAMS })}"`,
    `  ${system.getPublicKey()}: "${signed(system, ACCOUNT)}"`,
    '}',
  ].join('\n');
  return { account, settings };
}

/** Returns the content of a file with credentials for a new user of the account. */
export function credentials({ account }: Operator): string {
  const user = nkeys.createUser();
  const jwt = token(account, {
    sub: user.getPublicKey(),
    name: 'stayd',
    nats: { type: 'user', version: 2, pub: {}, sub: {}, ...ANY },
  });
  const part = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
  return `${part('NATS USER JWT', jwt)}\n${part('USER NKEY SEED', new TextDecoder().decode(user.getSeed()))}`;
}

function token(signer: Pair, claims: object): string {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const body = { jti, iat: 1_700_000_000, iss: signer.getPublicKey(), ...claims };
  const head = `${text({ typ: 'JWT', alg: 'ed25519-nkey' })}.${text(body)}`;
  return `${head}.${Buffer.from(signer.sign(new TextEncoder().encode(head))).toString('base64url')}`;
}
