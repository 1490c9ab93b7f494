/** The facts about the guest's browser in a request. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string;
  /** The page of the last form, in the address for a browser that may refuse cookies; see kept-page.ts. */
  readonly kept: string;
  /** The Referer header. */
  readonly referrer: string;
}
