import { type Html, html } from '../../kernel/markup/html.ts';
import type { Texts } from '../texts/choose.ts';

/** What a form has to say again after a refusal. */
interface Again {
  readonly login?: string | undefined;
  readonly problem?: string | undefined;
}

/** Shows the form for those who have a login. @param next the address to go on to */
export function signInView({ signIn: words }: Texts, next: string, { login = '', problem }: Again = {}): Html {
  return html`<main id="content" class="narrow">
    <h1>${words.title}</h1>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    <form method="post" action="/console/sign-in">
      <input type="hidden" name="next" value="${next}" />
      <label for="login">${words.login}</label>
      <input id="login" name="login" value="${login}" autocomplete="username" required maxlength="100" autofocus />
      <label for="password">${words.password}</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200" />
      <button type="submit">${words.submit}</button>
    </form>
    <p class="dim">${words.hint}</p>
  </main>`;
}

interface SecondStep {
  readonly next: string;
  readonly codes: boolean;
  readonly passkey: object | undefined;
  readonly problem: string | undefined;
}

/** Shows what a person can answer with beside the password: a passkey, a code, or a recovery code. */
export function secondStepView({ signIn: words }: Texts, { next, codes, passkey, problem }: SecondStep): Html {
  return html`<main id="content" class="narrow">
    <h1>${words.second}</h1>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    ${
      passkey === undefined
        ? ''
        : html`<form
            method="post"
            action="/console/second-step"
            data-passkey="get"
            data-options="${JSON.stringify(passkey)}"
          >
            <input type="hidden" name="next" value="${next}" />
            <input type="hidden" name="passkey" value="" />
            <button type="submit">${words.usePasskey}</button>
          </form>`
    }
    <form method="post" action="/console/second-step">
      <input type="hidden" name="next" value="${next}" />
      <label for="code">${codes ? words.code : words.recoveryCode}</label>
      <input id="code" name="code" autocomplete="one-time-code" required maxlength="40" aria-describedby="code-hint" />
      <p id="code-hint" class="dim">${words.codeHint}</p>
      <button type="submit" ${passkey === undefined ? '' : html`class="second"`}>${words.submit}</button>
    </form>
    <p><a href="/console/sign-in">${words.again}</a></p>
  </main>`;
}

/** Shows the form for those who were given a one-time secret, which a script takes from the fragment of the address. */
export function welcomeView({ signIn: words }: Texts, { login = '', problem }: Again = {}): Html {
  return html`<main id="content" class="narrow">
    <h1>${words.welcome}</h1>
    <p>${words.choose}</p>
    ${problem === undefined ? '' : html`<p class="bad" role="alert">${problem}</p>`}
    <form method="post" action="/console/welcome">
      <label for="secret">${words.secret}</label>
      <input
        id="secret"
        name="secret"
        autocomplete="off"
        required
        maxlength="100"
        data-from-fragment
        aria-describedby="secret-hint"
      />
      <p id="secret-hint" class="dim">${words.secretHint}</p>
      <label for="login">${words.login}</label>
      <input id="login" name="login" value="${login}" autocomplete="username" required maxlength="100" />
      <label for="password">${words.newPassword}</label>
      <input id="password" name="password" type="password" autocomplete="new-password" required maxlength="200" />
      <button type="submit">${words.begin}</button>
    </form>
  </main>`;
}
