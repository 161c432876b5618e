/**
 * Shows the samples in the language that was chosen last, before anything of the page is seen. The mark on the page also
 * says that scripts run: what needs one is hidden without it.
 */
{
  const KEY = 'stayd-docs-language';
  const LANGUAGES = ['curl', 'typescript', 'python'];

  const kept = (): string | null => {
    try {
      return window.localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };
  const keep = (language: string): void => {
    try {
      window.localStorage.setItem(KEY, language);
    } catch {
      // A browser that stores nothing forgets the choice with the page.
    }
  };
  const show = (language: string): void => {
    document.documentElement.dataset['language'] = language;
    for (const button of document.querySelectorAll<HTMLElement>('[data-choose]')) {
      button.setAttribute('aria-pressed', String(button.dataset['choose'] === language));
    }
  };
  const choice = (): string => LANGUAGES.find((one) => one === kept()) ?? 'curl';

  show(choice());
  document.addEventListener('DOMContentLoaded', () => show(choice()));
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-choose]') : null;
    const language = button?.dataset['choose'];
    if (!button || language === undefined) return;
    const before = button.getBoundingClientRect().top;
    keep(language);
    show(language);
    // Samples above have another height now; what the reader looks at stays where it is.
    window.scrollBy(0, button.getBoundingClientRect().top - before);
  });
}
