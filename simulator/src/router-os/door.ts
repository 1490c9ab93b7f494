/** How a router answers: as it should, not at all, breaking off in the middle, or with a megabyte. */
export type Behaviour = 'good' | 'silent' | 'half' | 'large';

/** A way into the router. */
export interface Door {
  readonly port: number;
  readonly requests: () => number;
  /** Shows another certificate from now on. */
  readonly renew: (tls: { readonly key: string; readonly cert: string }) => void;
  readonly close: () => Promise<void>;
}
