/** Thrown when the answer contains a row that could not be read, so that its key cannot be made clean. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}
