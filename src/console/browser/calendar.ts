/**
 * Fills the rows of the calendar that somebody looks at, and lets nights be chosen and stays be moved by dragging. A drag
 * changes nothing: it leads to the form that says what will happen and asks. Everything is reached without it, too.
 */

/** Pixels that a pointer travels before a press becomes a drag. */
const DRAG_PX = 5;
/** Pixels around the visible rows within which rows are filled ahead. */
const AHEAD = '600px 0px';
/** Pixels a millisecond from which rows fly by. */
const FLYING = 3;
/** Milliseconds after which a scroll has come to rest. */
const STILL_MS = 100;
/** Elements of rows that are put in place between two frames; one row at least. */
const A_FRAME = 400;
const DAY_MS = 86_400_000;
const PLACE = 'stayd.calendar';

const calendarOf = () => document.querySelector<HTMLElement>('.calendar');
const gridOf = () => document.querySelector<HTMLElement>('.calendar [role="table"]');

// --- Rows are filled while they are in sight, one request after the other, and none while they fly by.

const inSight = new Set<HTMLElement>();
let isFilling = false;
/** How often the whole page was renewed. */
let renewals = 0;
let watching: { calendar: HTMLElement; observer: IntersectionObserver } | undefined;
/** Pixels a millisecond; 0 once a scroll has come to rest. */
let speed = 0;
let rest: number | undefined;
let last = { top: 0, at: 0 };

function measureSpeed({ timeStamp: at }: Event): void {
  const top = calendarOf()?.scrollTop ?? 0;
  speed = Math.abs(top - last.top) / Math.max(1, at - last.at);
  last = { top, at };
  window.clearTimeout(rest);
  rest = window.setTimeout(() => (speed = 0), STILL_MS);
}

async function fillWanted(): Promise<void> {
  if (isFilling) return;
  isFilling = true;
  for (let group = nextWanted(); group; group = nextWanted()) {
    if (speed > FLYING) {
      await new Promise((resolve) => window.setTimeout(resolve, STILL_MS));
      continue;
    }
    // What cannot be had is asked for once more when it comes into sight again.
    if (!(await fill(group))) inSight.delete(group);
    else if (!inSight.has(group)) leave(group);
  }
  isFilling = false;
}

/** Puts the rows in place, a few between two frames, since all at once would hold up a scroll. @returns false: none came */
async function fill(group: HTMLElement): Promise<boolean> {
  const at = renewals;
  const answer = await answerAt(group.dataset['rows'] ?? '');
  const rows = [...(answer?.getElementById(group.id)?.children ?? [])];
  let count = 0;
  for (const row of rows) {
    const size = row.getElementsByTagName('*').length;
    if (count > 0 && count + size > A_FRAME) count = await nextFrame();
    // The page was renewed meanwhile: these rows are as it has them, and are asked for once more if it has none.
    if (at !== renewals) return true;
    count += size;
    group.append(row);
  }
  if (rows.length === 0) return false;
  group.classList.remove('later');
  group.style.removeProperty('height');
  group.removeAttribute('aria-busy');
  return true;
}

/** The browser parses it, so that no text becomes markup here. */
function answerAt(address: string): Promise<Document | undefined> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.onload = () => resolve(request.status === 200 ? (request.responseXML ?? undefined) : undefined);
    request.onerror = () => resolve(undefined);
    request.send();
  });
}

function nextFrame(): Promise<0> {
  return new Promise((resolve) => window.requestAnimationFrame(() => resolve(0)));
}

/** Empties rows that are out of sight: the fewer there are, the smoother the others scroll. */
function leave(group: HTMLElement): void {
  inSight.delete(group);
  if (group.classList.contains('later') || group.contains(document.activeElement)) return;
  group.style.height = `${group.offsetHeight}px`;
  group.classList.add('later');
  group.setAttribute('aria-busy', 'true');
  group.replaceChildren();
}

function nextWanted(): HTMLElement | undefined {
  for (const group of inSight) {
    if (!group.isConnected) inSight.delete(group);
    else if (group.classList.contains('later')) return group;
  }
  return undefined;
}

function watchRows(): void {
  const calendar = calendarOf();
  if (!calendar) return;
  if (watching?.calendar !== calendar) watching = { calendar, observer: observerOf(calendar) };
  // Those that are known are looked at once more: they may have been emptied where they are.
  for (const group of calendar.querySelectorAll<HTMLElement>('.rows')) {
    watching.observer.unobserve(group);
    watching.observer.observe(group);
  }
}

function observerOf(calendar: HTMLElement): IntersectionObserver {
  calendar.addEventListener('scroll', measureSpeed, { passive: true });
  const sight = { root: calendar, rootMargin: AHEAD };
  return new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      if (isIntersecting) inSight.add(target);
      else leave(target);
    }
    void fillWanted();
  }, sight);
}

// --- Where the calendar was scrolled to, for the next page with the same nights.

function rememberPlace(): void {
  const calendar = calendarOf();
  const from = gridOf()?.dataset['from'];
  if (!calendar || from === undefined) return;
  const place = [from, calendar.className, calendar.scrollLeft, calendar.scrollTop].join(' | ');
  window.sessionStorage.setItem(PLACE, place);
}

function returnToPlace(): void {
  const calendar = calendarOf();
  const [from, look, left, top] = (window.sessionStorage.getItem(PLACE) ?? '').split(' | ');
  if (!calendar || from !== gridOf()?.dataset['from'] || look !== calendar.className) return;
  calendar.scrollTo(Number(left), Number(top));
}

// --- Dragging.

interface Drag {
  readonly grid: HTMLElement;
  /** The row in which it began, and its nights. */
  readonly row: HTMLElement;
  /** The stay that is dragged; undefined: nights are chosen. */
  readonly stay: HTMLElement | undefined;
  readonly x: number;
  readonly y: number;
  /** The night under the pointer when it began. */
  readonly night: number;
  isMoving: boolean;
  row2: HTMLElement;
  night2: number;
}

let drag: Drag | undefined;
let mark: HTMLElement | undefined;

function nightWidth(grid: HTMLElement): number {
  return grid.querySelector('.dates [role="columnheader"]:not(.unit)')?.getBoundingClientRect().width ?? 1;
}

function nightAt(grid: HTMLElement, row: HTMLElement, x: number): number {
  const left = row.querySelector('.lanes')?.getBoundingClientRect().left ?? 0;
  return Math.floor((x - left) / nightWidth(grid));
}

function begin(event: PointerEvent): void {
  if (event.button !== 0 || event.pointerType === 'touch' || !(event.target instanceof Element)) return;
  const grid = event.target.closest<HTMLElement>('.calendar [role="table"]');
  const row = event.target.closest<HTMLElement>('[data-unit]');
  if (!grid || !row || !event.target.closest('.lanes')) return;
  const stay = event.target.closest<HTMLElement>('[data-stay]') ?? undefined;
  if ((stay ? grid.dataset['moves'] : grid.dataset['selects']) === undefined) return;
  const night = nightAt(grid, row, event.clientX);
  const { clientX: x, clientY: y } = event;
  drag = { grid, row, stay, x, y, night, isMoving: false, row2: row, night2: night };
}

function follow(event: PointerEvent): void {
  if (!drag) return;
  if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) return;
  drag.isMoving = true;
  event.preventDefault();
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-unit]');
  // Nights are chosen in one row; a stay goes to the row under the pointer.
  if (drag.stay && under) drag.row2 = under;
  drag.night2 = nightAt(drag.grid, drag.row, event.clientX);
  show(drag);
}

/** Shows where the stay would go, or the chosen nights, with words. */
function show({ grid, row2, stay, night, night2 }: Drag): void {
  const width = nightWidth(grid);
  const lanes = row2.querySelector('.lanes');
  if (!lanes) return;
  mark ??= document.createElement('div');
  mark.className = 'mark';
  mark.setAttribute('aria-hidden', 'true');
  const cell = stay?.closest<HTMLElement>('[role="cell"]');
  const start = cell ? Number(cell.getAttribute('aria-colindex')) - 2 + night2 - night : Math.min(night, night2);
  const count = cell ? Number(cell.getAttribute('aria-colspan')) : Math.abs(night2 - night) + 1;
  mark.style.left = `${start * width}px`;
  mark.style.width = `${count * width}px`;
  const titles = [...grid.querySelectorAll<HTMLElement>('.dates abbr')].map(({ title }) => title);
  const name = row2.dataset['name'] ?? '';
  mark.textContent = `${stay ? `${stay.textContent.trim()} → ` : ''}${name}, ${titles[start] ?? ''} (${count})`;
  lanes.append(mark);
}

function end(): void {
  const done = drag;
  stop();
  if (!done?.isMoving) return;
  // The press ends on a link, which must not be followed.
  window.addEventListener('click', refuse, { capture: true, once: true });
  window.setTimeout(() => window.removeEventListener('click', refuse, { capture: true }));
  const { grid, row, row2, stay, night, night2 } = done;
  const address = new URL(grid.dataset['address'] ?? '', window.location.href);
  const fields = address.searchParams;
  if (stay) {
    if (night2 === night && row2 === row) return;
    fields.set('move', stay.dataset['stay'] ?? '');
    fields.set('to', row2.dataset['unit'] ?? '');
    fields.set('shift', String(night2 - night));
  } else {
    fields.set('unit', row.dataset['unit'] ?? '');
    fields.set('first', dateAt(grid, Math.min(night, night2)));
    fields.set('last', dateAt(grid, Math.max(night, night2)));
  }
  window.location.assign(address);
}

function refuse(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function dateAt(grid: HTMLElement, index: number): string {
  return new Date(Date.parse(grid.dataset['from'] ?? '') + index * DAY_MS).toISOString().slice(0, 10);
}

function stop(): void {
  drag = undefined;
  mark?.remove();
}

if (calendarOf()) {
  document.documentElement.classList.add('scripted');
  returnToPlace();
  watchRows();
  document.addEventListener('htmx:after:swap', () => {
    renewals += 1;
    watchRows();
  });
  window.addEventListener('pagehide', rememberPlace);
  document.addEventListener('pointerdown', begin);
  document.addEventListener('pointermove', follow);
  document.addEventListener('pointerup', end);
  document.addEventListener('pointercancel', stop);
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') stop();
  });
  document.addEventListener('dragstart', (event) => {
    if (event.target instanceof Element && event.target.closest('.calendar')) event.preventDefault();
  });
}

export {};
