/** What a request tells about the guest's browser. */
export interface ClientInfo {
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string;
  /** The Referer header. */
  readonly referrer: string;
}
