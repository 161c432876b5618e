import type { CancellationShare } from '../../channels/direct/bookings/cancel.ts';
import type { Currency } from '../../kernel/money.ts';
import { html } from '../../kernel/markup/html.ts';
import { bookPage, type Shell } from './frame.ts';
import type { Words } from './words.ts';

export interface CancellingShown {
  /** Address of the page of the booking. */
  readonly base: string;
  readonly code: string;
  /** Property and dates in one line. */
  readonly stay: string;
  readonly currency: Currency;
  readonly share: CancellationShare;
  /** What was read before does not hold any more. */
  readonly isMoved: boolean;
}

/** Renders the question whether to cancel a booking, with what becomes of the money. */
export function renderCancelling(shell: Shell, shown: CancellingShown): string {
  const { texts, language } = shell.words;
  const { base, code, stay, share, isMoved } = shown;
  return bookPage(
    shell,
    texts.cancel,
    html`${isMoved ? html`<p class="bad" role="alert">${texts.cancelMoved}</p>` : ''}
      <p><strong>${stay}</strong></p>
      <dl>
        <dt>${texts.code}</dt>
        <dd><code>${code}</code></dd>
      </dl>
      <p>${texts.cancelWhat}</p>
      <p class="note">${shareText(shell.words, shown)}</p>
      <form method="post" action="${base}/cancel">
        <input type="hidden" name="lang" value="${language}" />
        <input type="hidden" name="refund" value="${share.refund}" />
        <button type="submit">${texts.cancelNow}</button>
      </form>
      <p><a href="${base}?lang=${language}">${texts.cancelBack}</a></p>`,
  );
}

function shareText({ texts, money }: Words, { currency, share }: CancellingShown): string {
  const [refund, kept] = [money(share.refund, currency), money(share.kept, currency)];
  if (share.refund === 0) return share.kept === 0 ? texts.cancelFree : texts.cancelNone(kept);
  return share.kept === 0 ? texts.cancelAll(refund) : texts.cancelShare(refund, kept);
}
