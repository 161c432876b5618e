/** A row that could not be read is in the answer, so its key cannot be made clean. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}
