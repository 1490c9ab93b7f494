/** A change of one place of a file. */
export interface Change {
  readonly file: string;
  /** The place in the text, from its first character to the one after its last. */
  readonly start: number;
  readonly end: number;
  readonly to: string;
}
