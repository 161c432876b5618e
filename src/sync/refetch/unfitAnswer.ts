/** A row that could not be read is in the answer, so its key cannot be made clean. */
export class UnfitAnswer extends Error {
  override readonly name = 'UnfitAnswer';
}
