/** How the router answers: correctly, not at all, with half an answer, or with a megabyte. */
export type Behaviour = 'good' | 'silent' | 'half' | 'large';

/** One of the services of the simulated router. */
export interface Listener {
  readonly port: number;
  readonly requests: () => number;
  /** Replaces the TLS certificate. */
  readonly renew: (tls: { readonly key: string; readonly cert: string }) => void;
  readonly close: () => Promise<void>;
}
