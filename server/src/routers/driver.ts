import type { RouterProtocol } from '@portico/contract/router-control.ts';

/** One line of a router's list of guest devices: what holds for a MAC, everywhere or for the addresses of one network. */
export interface Binding {
  readonly type: 'blocked' | 'bypassed';
  readonly address: string | null;
}

/**
 * What a router can be told. Each says how things shall be, not what to change: told twice, it does nothing more.
 * `bindings`: all that holds for a MAC from now on; `open`: whether the hotspot is on.
 */
export type RouterWish =
  | { readonly kind: 'bindings'; readonly mac: string; readonly bindings: readonly Binding[]; readonly open: boolean }
  | { readonly kind: 'hotspot'; readonly open: boolean }
  | { readonly kind: 'logout'; readonly mac: string };

/** How a router is reached. `address`: what its host resolved to and may be connected to. */
export interface RouterTarget {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly protocol: RouterProtocol;
  /** The SHA-256 that its certificate must have; undefined: any is good, and told in `certificate`. */
  readonly pin: string | undefined;
  /** Everything that is done with the router ends after so many milliseconds. */
  readonly timeoutMs: number;
}

/** A signed-in connection to a router. */
export interface RouterLink {
  /** Of the certificate it showed; null without TLS. */
  readonly certificate: string | null;
  readonly identify: () => Promise<{ identity: string; version: string }>;
  readonly apply: (wish: RouterWish) => Promise<void>;
  readonly close: () => void;
}

/** A router's words as they are kept: one short line. */
export const plainWords = (words: string): string =>
  words
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300);

/**
 * Why a router did not do what it was told, in words for an operator. `unreachable` may pass by itself; `login`,
 * `certificate` and `refused` wait for somebody to change something.
 */
export class RouterError extends Error {
  override readonly name = 'RouterError';
  readonly kind: 'unreachable' | 'login' | 'certificate' | 'refused';
  constructor(kind: RouterError['kind'], words: string) {
    super(plainWords(words));
    this.kind = kind;
  }
}

/** Any error as one of a router: what nobody foresaw is taken for trouble on the way. */
export const asRouterError = (error: unknown): RouterError =>
  error instanceof RouterError
    ? error
    : new RouterError(
        'unreachable',
        (error as AggregateError).errors?.[0]?.message ?? (error instanceof Error ? error.message : String(error)),
      );
