/** Who sends a request. */
export interface From {
  readonly address: string;
  readonly userAgent: string;
  /** The Cookie header. */
  readonly cookies: string;
  /** The Referer header. */
  readonly referrer: string;
}
