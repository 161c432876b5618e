import type { MailHost } from './mailTarget.ts';

type Named = Pick<MailHost, 'host' | 'security'>;

const TRUST =
  'if it is a server of your own, put the certificate of its CA into a file, name it in NODE_EXTRA_CA_CERTS, and start stayd again';

/** Names that a certificate carries and a message has room for. */
const NAMED = 4;

/** What is wrong with a certificate, and what to do, by the code of OpenSSL or Node. */
const CERTIFICATES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `is signed by itself, and nothing here trusts it; ${TRUST}`,
  SELF_SIGNED_CERT_IN_CHAIN: `comes from a CA that nothing here trusts; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT: `comes from a CA that nothing here trusts; ${TRUST}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `comes from a CA that nothing here trusts; ${TRUST}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `comes from a CA that nothing here trusts; ${TRUST}`,
  CERT_UNTRUSTED: `comes from a CA that nothing here trusts; ${TRUST}`,
  CERT_HAS_EXPIRED: 'has expired; the operator of the server must renew it (or the clock of this machine is wrong)',
  CERT_NOT_YET_VALID: 'is not valid yet; look at the clock of this machine, or wait',
  CERT_REVOKED: 'was revoked; the operator of the server must renew it',
};

/** Codes of a server that answers something other than TLS, or TLS of a version that nobody should speak. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST']);
const OLD_TLS = new Set(['ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION']);

/**
 * Says for people why no protected connection to a mail server came about, and what to do. Nothing was read or sent then,
 * and no password has left. @returns undefined if the error is about something else
 */
export function tlsProblem(error: unknown, { host, security }: Named): string | undefined {
  const codes = codesOf(error);
  const found = codes.map((code) => CERTIFICATES[code]).find((text) => text !== undefined);
  if (found !== undefined) return `the certificate of ${host} ${found}`;
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID')) {
    return `the certificate of ${host} is for other names${namesOf(error)}; name the server as its certificate does`;
  }
  if (codes.some((code) => NO_TLS.has(code))) {
    return `${host} does not answer with TLS on this port; choose starttls (ports 143 and 587), or the port for TLS (993, 465)`;
  }
  if (codes.some((code) => OLD_TLS.has(code))) {
    return `${host} speaks no TLS of version 1.2 or later; its operator must renew it`;
  }
  if (security === 'starttls' && hasNoStarttls(error)) {
    return `${host} does not offer STARTTLS, so the password would go in clear, and was not sent; choose tls (ports 993 and 465), or ask the operator of the server`;
  }
  return undefined;
}

/** Returns the codes of an error and of its causes; a library may have put its own in front. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = ['code', 'originalCode'].flatMap((key) => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? [value] : [];
  });
  return [...own, ...codesOf(error.cause)];
}

function namesOf(error: unknown): string {
  const certificate: unknown = error instanceof Error && 'cert' in error ? error.cert : undefined;
  if (typeof certificate !== 'object' || certificate === null || !('subjectaltname' in certificate)) return '';
  const names = String(certificate.subjectaltname).match(/(?<=DNS:|IP Address:)[0-9a-z*.:_-]{1,100}/gi) ?? [];
  return names.length === 0 ? '' : ` (${names.slice(0, NAMED).join(', ')})`;
}

/** The library for reading marks the missing offer; that for sending asks anyway, and is refused. */
function hasNoStarttls(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isRefused = 'command' in error && error.command === 'STARTTLS' && 'responseCode' in error;
  return isRefused || /does not support (?:required )?STARTTLS/.test(error.message);
}
