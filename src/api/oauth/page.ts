import { type Html, html } from '../../kernel/markup/html.ts';
import { type Look, masthead } from '../../kernel/markup/look.ts';
import { pagesWith } from '../../kernel/markup/page.ts';
import type { Authorization } from '../../oauth/authorize.ts';
import { isLoopback } from '../../oauth/redirects.ts';

const pages = pagesWith(`
:root{--warn:#7a3b00;--warn-paper:#fff4e5}
@media screen and (prefers-color-scheme:dark){:root{--warn:#ffd8a8;--warn-paper:#3a2a12}}
body{margin:0 auto;max-width:34rem;padding:calc(var(--gap)*3)}
h1{margin:0 0 1rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:1.25rem 0 .25rem}
ul{margin:.25rem 0;padding-left:1.25rem}
code,strong{overflow-wrap:anywhere}
.note{background:var(--note-paper);border-radius:var(--radius);padding:.75rem 1rem;margin:1rem 0}
.warn{background:var(--warn-paper);color:var(--warn);border-radius:var(--radius);padding:.75rem 1rem;margin:1rem 0}
.bad{color:var(--bad);font-weight:600}
label{display:block;margin:.75rem 0 .25rem;font-weight:600}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--radius)}
.buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin:1.25rem 0 0}
button{min-height:2.75rem;padding:.5rem 1.5rem;font:inherit;font-weight:600;border:1px solid var(--link);border-radius:var(--radius);background:var(--link);color:var(--button-ink)}
button.second{background:transparent;color:inherit;border-color:var(--edge)}
`);

const ORIGIN = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/**
 * Returns the content policy of these pages: show them, and submit their form here. The policy covers the redirect of
 * the form's answer, so it names the application's address if the answer may lead there.
 */
export function contentPolicy(redirectUri?: string, look?: Look): string {
  const origin = redirectUri === undefined ? '' : new URL(redirectUri).origin;
  // An address registered before such names were refused stays out of the policy, where `;` begins another rule.
  const further = ORIGIN.test(origin) ? ` ${origin}` : '';
  return pages.policy(`'self'${further}`, look);
}

interface ConsentFacts {
  asked: Pick<Authorization, 'client' | 'scope' | 'audience' | 'redirectUri'>;
  account: string;
  operator: { name: string; kind: 'master' | 'sub' };
  /** How the account looks; undefined: plain. */
  look?: Look | undefined;
  /** The request, sealed for this browser. */
  sealed: string;
}

/**
 * Renders the question to a person if an application may act for them. The look is that of the account, and is said to
 * be: it stands apart from the application, which has its name and no look.
 */
export function consentPage({ asked, account, operator, sealed, look }: ConsentFacts): string {
  const { client, scope, audience, redirectUri } = asked;
  const host = new URL(redirectUri).host;
  const name = shown(client.name);
  const whose = operator.kind === 'master' ? account : `${operator.name} of ${account}`;
  return page(
    'Allow access',
    html`<h1>Allow <strong>${name}</strong> to use your account?</h1>
      <p>You are signed in for <strong>${whose}</strong>.</p>
      <h2>What it may do</h2>
      <ul>
        ${scopeLines(scope).map((line) => html`<li>${line}</li>`)}
        ${audience.includes('mcp') ? html`<li>Work as an assistant: the same by the tools of <code>/mcp</code></li>` : ''}
        ${operator.kind === 'sub' ? html`<li>Only for the properties that you can see</li>` : ''}
      </ul>
      <h2>Where you go next</h2>
      <p>Your answer is sent to <strong>${host}</strong>.</p>
      ${origin(client)} ${isLoopback(redirectUri) ? LOOPBACK_WARNING : ''}
      <p class="note">
        You can end this at any time: <code>./stayd oauth disconnect</code>. Allow it only if you have just started it
        yourself, and know it.
      </p>
      <form method="post" action="/oauth/consent">
        <input type="hidden" name="request" value="${sealed}" />
        <div class="buttons">
          <button type="submit" name="answer" value="allow">Allow</button>
          <button type="submit" name="answer" value="deny" class="second">Do not allow</button>
        </div>
      </form>`,
    look,
  );
}

function scopeLines(scope: 'read' | 'write'): string[] {
  const read = 'See everything: bookings, guests, messages, calendars, money';
  return scope === 'read'
    ? [read, 'Change nothing']
    : [read, 'Change everything: take and cancel bookings, write to guests, set prices, book money'];
}

/** Names the source that vouches for the application's identity. */
function origin({ origin: from, client_id }: Authorization['client']): Html | string {
  if (from === 'registered') return '';
  if (from === 'document') {
    return html`<p class="warn">
      Nobody here has registered this application. It describes itself at <strong>${new URL(client_id).host}</strong>:
      <code>${client_id}</code>
    </p>`;
  }
  return html`<p class="warn">This application has registered itself. Its name is what it says of itself.</p>`;
}

const LOOPBACK_WARNING = html`<p class="warn">
  That is a program on your own machine. Any program there can pretend to be this one: go on only if you have just
  started it.
</p>`;

/** Renders the sign-in page, which comes before any other question. */
export function signInPage({ query, problem }: { query: string; problem?: string | undefined }): string {
  return page(
    'Sign in',
    html`<h1>Sign in</h1>
      <p>An application asks for access to your account. First say who you are.</p>
      ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
      <form method="post" action="/oauth/sign-in">
        <input type="hidden" name="query" value="${query}" />
        <label for="login">Login</label>
        <input id="login" name="login" autocomplete="username" required maxlength="100" autofocus />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200" />
        <label for="code">Code, if you have a second factor</label>
        <input id="code" name="code" autocomplete="one-time-code" inputmode="numeric" maxlength="40" />
        <div class="buttons"><button type="submit">Sign in</button></div>
      </form>
      <p class="note">
        No login yet? <code>./stayd login invite</code> prints a one-time secret by which you choose one.
      </p>`,
  );
}

/** Renders the reason for a refusal and redirects to no other place. */
export function refusalPage(message: string): string {
  return page(
    'This cannot be allowed',
    html`<h1>This cannot be allowed</h1>
      <p>${message}</p>
      <p>Nothing was sent to the application. Go back to it and begin again, or ask whoever runs it.</p>`,
  );
}

function page(title: string, body: Html, look?: Look): string {
  return pages.page(
    title,
    html`${masthead(look, 'Your account')}
      <main>${body}</main>`,
    look,
  );
}

/** Removes characters that turn or hide the text around a name chosen by others. */
function shown(name: string): string {
  const plain = name.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '').trim();
  return plain === '' ? 'An application without a name' : plain.slice(0, 100);
}
