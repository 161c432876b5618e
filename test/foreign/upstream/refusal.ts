/** A failure in the words of the service. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message = 'No.') {
    super(message);
    this.code = code;
  }
}
