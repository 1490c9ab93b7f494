/** A cookie for the guest's browser; an empty value deletes it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly seconds: number;
  /** The pages that get it; absent for all. */
  readonly path?: string;
}
