/** Returns the remedy after the source refused the account itself. */
export function afterRefusal(reason: string): string {
  return /subscription|suspend|edition/i.test(reason)
    ? 'the host of that account must renew it; reading goes on by itself within 15 minutes'
    : 'give the connection a token that is alive, and start stayd again';
}
