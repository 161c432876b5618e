/** Asks the browser for a passkey when its form is sent, and sends the answer along. */

type Json = Record<string, unknown>;

function bytesOf(text: unknown): ArrayBuffer {
  const plain = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0)).buffer;
}

function textOf(bytes: ArrayBuffer | null | undefined): string | undefined {
  if (!bytes) return undefined;
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function credentials(list: unknown): Json[] {
  return ((list ?? []) as Json[]).map((one) => ({ ...one, id: bytesOf(one['id']) }));
}

async function made(options: Json): Promise<Json> {
  const user = options['user'] as Json;
  const publicKey = {
    ...options,
    challenge: bytesOf(options['challenge']),
    user: { ...user, id: bytesOf(user['id']) },
    excludeCredentials: credentials(options['excludeCredentials']),
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return answerOf(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports(),
  });
}

async function used(options: Json): Promise<Json> {
  const publicKey = {
    ...options,
    challenge: bytesOf(options['challenge']),
    allowCredentials: credentials(options['allowCredentials']),
  } as unknown as PublicKeyCredentialRequestOptions;
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return answerOf(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    authenticatorData: textOf(response.authenticatorData),
    signature: textOf(response.signature),
    userHandle: textOf(response.userHandle),
  });
}

function answerOf({ id, rawId, type }: PublicKeyCredential, response: Json): Json {
  return { id, rawId: textOf(rawId), type, response, clientExtensionResults: {} };
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  const field = form.querySelector<HTMLInputElement>('input[name=passkey]');
  form.addEventListener('submit', (event) => {
    if (!field || field.value !== '') return;
    event.preventDefault();
    const options = JSON.parse(form.dataset['options'] ?? '{}') as Json;
    const asked = form.dataset['passkey'] === 'create' ? made(options) : used(options);
    asked.then(
      (answer) => {
        field.value = JSON.stringify(answer);
        form.requestSubmit();
      },
      // Nobody answered, or said no: the other ways on the page are still there.
      () => form.querySelector('button')?.focus(),
    );
  });
}

export {};
