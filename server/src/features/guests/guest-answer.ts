import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { AdView, GuestView, SignInView } from '@portico/contract/guests.ts';
import type { ShownAt } from '#features/portals/public.ts';
import type { Cookie } from './cookie.ts';
import type { KeptPage } from './kept-page.ts';

/** Where the browser can load a page again: a path with a query, without the language. */
export interface PageAddress {
  readonly path: string;
  /** The further content of the page, kept in a cookie (kept-page.ts). */
  readonly kept?: KeptPage;
}

/** An advertisement on a guest's page, and where the view is counted. */
export interface ShownAd extends ShownAt {
  readonly tenantId: string;
  readonly ad: AdView;
  readonly mac: string;
  /** The public address of the router if any person could load the page; null for a guest who is online. */
  readonly routerAddress: string | null;
}

/** The answer to a guest: a page, or a redirect. */
export type GuestAnswer =
  | {
      readonly template: SignInTemplate;
      readonly status: number;
      /** Where the page's forms may lead besides this origin. */
      readonly formTarget?: string;
      readonly cookies?: readonly Cookie[];
      /** The advertisement on the page, to be counted. */
      readonly shownAd?: ShownAd;
      readonly address?: PageAddress;
    }
  | {
      readonly view: GuestView;
      readonly status: number;
      readonly formTarget?: string;
      /** Seconds. */
      readonly retryAfter?: number;
      readonly cookies?: readonly Cookie[];
      readonly shownAd?: ShownAd;
      readonly address?: PageAddress;
    }
  | { readonly redirect: string; readonly cookies?: readonly Cookie[] };

/** The values in which the first page of two guests differs. */
export interface GuestValues {
  readonly nas: string;
  readonly query: string;
  readonly state: string;
}

/** A sign-in page that is the same for many guests: it is rendered and compressed once (template-cache.ts). */
export interface SignInTemplate {
  /** The revision of the portal's content. */
  readonly content: string;
  readonly view: (nonce: string, values: GuestValues) => SignInView;
  readonly values: GuestValues;
}

const statuses: Partial<Record<GuestProblem, number>> = {
  unknown_device: 404,
  no_portal: 404,
  not_found: 404,
  data_over: 404,
  data_gone: 200,
  data_gone_account: 200,
  mail_over: 404,
  broken: 500,
  away: 503,
};
const refusals = new Set<GuestProblem>([
  'blocked',
  'paused',
  'license_over',
  'hotspot_off',
  'expired',
  'not_yet',
  'over_limit',
  'over_quota',
  'over_time',
  'visit_unknown',
]);

/** The HTTP status of a page that tells why a guest is not online. */
export const statusOf = (problem: GuestProblem): number => statuses[problem] ?? (refusals.has(problem) ? 403 : 400);

/** The answer with more cookies. */
export const withCookies = <A extends GuestAnswer>(answer: A, ...more: readonly Cookie[]): A =>
  more.length ? { ...answer, cookies: [...(answer.cookies ?? []), ...more] } : answer;
