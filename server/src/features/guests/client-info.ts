/** The facts about the guest's browser in a request. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string;
  /** The Referer header. */
  readonly referrer: string;
}
