import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

/** The most clicks that a task may take from Today. */
const MOST_CLICKS = 3;
/** Stops of the Tab key after which something counts as out of reach. */
const MOST_STOPS = 150;

/** Somebody at a page whose clicks are counted from Today on; typing, and choosing in a list, is no click. */
export interface Actor {
  readonly page: Page;
  /** Clicks of each time it began, the last one so far. */
  readonly clicks: readonly number[];
  /** Opens Today and counts from there. */
  begin(): Promise<void>;
  /** Clicks, and fails beyond the third time. */
  click(target: string | Locator): Promise<void>;
  /** Counts what was done by the mouse as one click. */
  byMouse(act: () => Promise<void>): Promise<void>;
  /** Goes there by the Tab key alone and presses Enter, which counts as a click. */
  enter(target: string | Locator): Promise<void>;
  /** Goes there by the Tab key alone; fails if nobody could see that the focus is there. */
  tabTo(target: string | Locator): Promise<void>;
}

/** @param today the address of Today */
export function actorOn(page: Page, today: string): Actor {
  const clicks: number[] = [];
  const found = (target: string | Locator): Locator =>
    typeof target === 'string' ? page.locator(target).first() : target;
  const count = (): void => {
    const made = (clicks.pop() ?? 0) + 1;
    clicks.push(made);
    assert.ok(made <= MOST_CLICKS, `click ${made} from Today, on ${page.url()}`);
  };
  const tabTo = async (target: string | Locator): Promise<void> => {
    const locator = found(target);
    await locator.waitFor();
    for (let stops = 0; stops < MOST_STOPS; stops += 1) {
      if ((await locator.and(page.locator(':focus')).count()) > 0) return seen(page, locator);
      await page.keyboard.press('Tab');
    }
    throw new Error(`${String(target)} is not reached by Tab on ${page.url()}`);
  };
  return {
    page,
    clicks,
    async begin() {
      await page.goto(today);
      clicks.push(0);
    },
    async click(target) {
      count();
      await found(target).click();
    },
    async byMouse(act) {
      count();
      await act();
    },
    async enter(target) {
      await tabTo(target);
      count();
      await page.keyboard.press('Enter');
    },
    tabTo,
  };
}

/** Fails where the focus is, but nobody could see it. */
async function seen(page: Page, locator: Locator): Promise<void> {
  const outline: string = await page.evaluate(
    '(({ outlineStyle, outlineWidth }) => `${outlineStyle} ${outlineWidth}`)(getComputedStyle(document.activeElement))',
  );
  assert.doesNotMatch(outline, /^none| 0px/, `the focus on ${String(locator)} is not to be seen`);
  const box = await locator.boundingBox();
  assert.ok(box !== null && box.width > 0 && box.height > 0);
}
