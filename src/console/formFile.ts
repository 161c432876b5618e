/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}
