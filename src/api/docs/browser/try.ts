/**
 * Sends the requests of the forms with the reader's token, which is read from its field and kept nowhere else. What
 * changes something is sent after the reader has confirmed it, with the account named.
 */

interface Envelope {
  readonly error_code?: number;
  readonly error_msg?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Answered {
  readonly text: string;
  readonly envelope: Envelope;
  /** What is said above the text. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Sent without a token. */
  readonly isOpen?: boolean;
}

const LIMIT_HEADERS = ['retry-after', 'x-ratelimit-scope', 'x-ratelimit-window', 'x-ratelimit-reason'];

const token = document.querySelector<HTMLInputElement>('#token');

async function ask({ method, path, body, isOpen = false }: Asked): Promise<Answered> {
  const begun = performance.now();
  const response = await fetch(path, {
    method,
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    headers: {
      ...(!isOpen && { 'Service-Access-Token': token?.value.trim() ?? '' }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const raw = await response.text();
  const ms = Math.round(performance.now() - begun);
  const envelope = parsed(raw);
  return {
    text: envelope ? JSON.stringify(envelope, null, 2) : raw,
    envelope: envelope ?? {},
    facts: [
      ['HTTP', String(response.status)],
      ['error_code', String(envelope?.error_code ?? '')],
      ['Time', `${ms} ms`],
      ...LIMIT_HEADERS.flatMap((name): [string, string][] => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ],
  };
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}

/** Returns the account behind the token in words. */
async function whose(): Promise<string> {
  if (!token?.value.trim()) return 'no token';
  const { envelope } = await ask({ method: 'GET', path: '/v3/accounts/me' });
  const { name, currency, time_zone: zone } = envelope.data ?? {};
  if (envelope.error_code !== 200) return `unknown: ${envelope.error_msg ?? 'no answer'}`;
  return `${String(name)} (${String(currency)}, ${String(zone)})`;
}

function requestOf(form: HTMLFormElement): Asked {
  const { method = 'GET', path = '', open } = form.dataset;
  const query = new URLSearchParams();
  let address = path;
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-field]')) {
    const name = field.dataset['field'] ?? '';
    if (path.includes(`{${name}}`)) address = address.replace(`{${name}}`, encodeURIComponent(field.value));
    else if (field.value !== '') query.set(name, field.value);
  }
  const body = form.querySelector<HTMLTextAreaElement>('[data-body]')?.value;
  const text = query.toString();
  return {
    method,
    path: text === '' ? address : `${address}?${text}`,
    isOpen: open === 'true',
    ...(body !== undefined && { body }),
  };
}

async function send(form: HTMLFormElement, request: Asked): Promise<void> {
  const result = form.querySelector('.result');
  if (!result) return;
  result.replaceChildren('…');
  try {
    const { text, facts } = await ask(request);
    result.replaceChildren(
      element('p', `${request.method} ${request.path}`),
      factList(facts),
      element('pre', text, 'broken'),
    );
  } catch (error) {
    result.replaceChildren(element('p', `There was no answer: ${String(error)}`, 'bad'));
  }
}

/** Says what will happen and to whom, and waits for a yes. */
async function confirm(form: HTMLFormElement, request: Asked): Promise<void> {
  const box = form.querySelector<HTMLElement>('.confirm');
  if (!box) return;
  const account = request.isOpen ? undefined : await whose();
  const yes = element('button', 'Send it');
  yes.classList.add('danger');
  const no = element('button', 'Cancel', 'second');
  for (const button of [yes, no]) button.setAttribute('type', 'button');
  const close = () => {
    box.hidden = true;
    box.replaceChildren();
    form.querySelector<HTMLElement>('button[type=submit]')?.focus();
  };
  yes.addEventListener('click', () => {
    close();
    void send(form, request);
  });
  no.addEventListener('click', close);
  const actions = element('div', '', 'actions');
  actions.append(yes, no);
  box.replaceChildren(
    element('p', `This is real. ${form.dataset['warning'] ?? ''}`),
    element('p', `${request.method} ${request.path}`),
    ...(account === undefined ? [] : [element('p', `Account: ${account}`)]),
    actions,
  );
  box.hidden = false;
  no.focus();
}

function element(name: string, text: string, style?: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (style !== undefined) made.classList.add(style);
  return made;
}

function factList(facts: Answered['facts']): HTMLElement {
  const list = element('dl', '', 'facts');
  for (const [name, value] of facts) list.append(element('dt', name), element('dd', value));
  return list;
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if ('account' in form.dataset) {
    event.preventDefault();
    const said = form.querySelector('[role=status]');
    whose().then(
      (account) => said?.replaceChildren(`Account: ${account}`),
      (error: unknown) => said?.replaceChildren(`There was no answer: ${String(error)}`),
    );
  }
  if (!('try' in form.dataset)) return;
  event.preventDefault();
  const request = requestOf(form);
  if (!request.isOpen && !token?.value.trim()) {
    token?.scrollIntoView({ block: 'center' });
    token?.focus();
    return;
  }
  void (form.dataset['warning'] ? confirm(form, request) : send(form, request));
});

export {};
