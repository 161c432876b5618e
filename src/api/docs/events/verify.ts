/** A program that decides if a delivery comes from this service. */
interface Verification {
  readonly language: string;
  readonly title: string;
  readonly text: string;
}

const TYPE_SCRIPT = `import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** True if the body was signed with the secret of the webhook, and not long ago. */
export function isGenuine(
  secret: string,
  headers: Record<string, string | undefined>,
  body: Buffer,
  now = Date.now(),
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': given = '' } = headers;
  if (!(Math.abs(Math.floor(now / 1000) - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
  const digest = createHmac('sha256', key).update(\`\${id}.\${time}.\`).update(body).digest('base64');
  return given.split(' ').some((one) => isSame(one, \`v1,\${digest}\`));
}

/** True if the header with the secret itself is right; for receivers that check no signature. */
export function hasSecret(secret: string, headers: Record<string, string | undefined>): boolean {
  return isSame(headers['service-webhook-secret-token'] ?? '', secret);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}`;

const PYTHON = `import base64, hashlib, hmac, time

TOLERANCE_SECONDS = 300


def is_genuine(secret, headers, body, now=None):
    """True if the body (bytes) was signed with the secret of the webhook, and not long ago."""
    event_id = headers.get("webhook-id", "")
    sent = headers.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not sent.isdecimal() or abs(int(now) - int(sent)) > TOLERANCE_SECONDS:
        return False
    key = base64.b64decode(secret[6:]) if secret.startswith("whsec_") else secret.encode()
    signed = f"{event_id}.{sent}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected.encode()) for one in given)


def has_secret(secret, headers):
    """True if the header with the secret itself is right; for receivers that check no signature."""
    return hmac.compare_digest(headers.get("service-webhook-secret-token", "").encode(), secret.encode())`;

const SHELL = `# SECRET: of the webhook. ID, TIME, SIGNATURE: the three headers. body.json: the body, byte for byte.
case $SECRET in
  whsec_*) KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n') ;;
  *) KEY=$(printf %s "$SECRET" | od -An -v -tx1 | tr -d ' \\n') ;;
esac
DIGEST=$({ printf '%s.%s.' "$ID" "$TIME"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
AGE=$(($(date +%s) - TIME))
[ "\${AGE#-}" -le 300 ] || { echo 'too old'; exit 1; }
case " $SIGNATURE " in
  *" v1,$DIGEST "*) echo genuine ;;
  *) echo forged; exit 1 ;;
esac`;

/** The same check in each language; each runs as it stands. */
export const VERIFICATIONS: readonly Verification[] = [
  { language: 'typescript', title: 'TypeScript, node:crypto', text: TYPE_SCRIPT },
  { language: 'python', title: 'Python, hmac', text: PYTHON },
  { language: 'shell', title: 'Shell, openssl', text: SHELL },
];
