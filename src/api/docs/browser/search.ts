/** Shows what is found while a reader types; `/` goes to the box, arrows through the results, Escape closes them. */

interface Found {
  readonly kind: string;
  readonly title: string;
  readonly place: string;
  readonly address: string;
}

const MOST_SHOWN = 10;

const input = document.querySelector<HTMLInputElement>('.find input');
const list = document.querySelector<HTMLElement>('.found');
let asking = new AbortController();

async function look(question: string): Promise<void> {
  asking.abort();
  asking = new AbortController();
  if (question.trim() === '') return show([]);
  try {
    const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(question)}`, { signal: asking.signal });
    const { found } = (await answer.json()) as { found: Found[] };
    show(found.slice(0, MOST_SHOWN), found.length === 0 ? 'Nothing found.' : '');
  } catch {
    // A later letter has taken its place, or the service is gone: the form still leads to the page of results.
  }
}

function show(found: readonly Found[], hint = ''): void {
  list?.replaceChildren(...found.map(linkTo), ...(hint === '' ? [] : [hint]));
}

function linkTo({ kind, title, place, address }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  const [badge, name, where] = [kind, title, place].map((text) => {
    const part = document.createElement('span');
    part.textContent = text;
    return part;
  });
  badge?.classList.add('badge');
  where?.classList.add('dim');
  for (const part of [badge, name, where]) if (part) link.append(part, ' ');
  return link;
}

function step(from: Element | null, by: number): void {
  const links = [...(list?.querySelectorAll('a') ?? [])];
  const at = links.findIndex((link) => link === from) + by;
  if (at < 0) input?.focus();
  else links[at]?.focus();
}

input?.addEventListener('input', () => void look(input.value));
input?.closest('form')?.addEventListener('keydown', (event) => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const by = steps[event.key];
  if (event.key === 'Escape' && list?.childElementCount) {
    // A browser would empty the box.
    event.preventDefault();
    show([]);
    input.focus();
  } else if (by !== undefined && list?.childElementCount) {
    event.preventDefault();
    step(document.activeElement, by);
  }
});
document.addEventListener('click', ({ target }) => {
  if (target instanceof Node && !input?.closest('form')?.contains(target)) show([]);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest('input, textarea, select')) return;
  event.preventDefault();
  input?.focus();
});

export {};
