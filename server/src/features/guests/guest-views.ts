import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import {
  type AgreementKind,
  type MoreAccess,
  type OutsideView,
  type PortalView,
  type ProblemView,
  workingMethods,
} from '@portico/contract/guests.ts';
import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import {
  isShipped,
  type PortalLanguage,
  portalLanguages,
  type ShippedLanguage,
  shippedOf,
  textFrom,
} from '@portico/contract/portal-languages.ts';
import {
  defaultMessages,
  messageKeys,
  type PerLanguage,
  type PortalMessageKey,
  richMessages,
} from '@portico/contract/portal-messages.ts';
import { offeredLanguages } from '@portico/contract/portal-page.ts';
import { type Provider, storedProviders } from '@portico/contract/portal-providers.ts';
import { compiledCss } from '#features/portals/public.ts';
import type { Settings } from '../../settings.ts';
import type { ClientInfo } from './client-info.ts';
import type { PortalRow } from './guest-context.queries.ts';
import type { GuestContext } from './guest-context.ts';
import type { Visit } from './guest-state.ts';

/** The parts of a view that depend on the request and not on the guest. */
export interface Frame {
  readonly language: PortalLanguage;
  readonly nonce: string;
  readonly script: string;
  readonly requestId: string;
  /** The window of the operating system that shows the page; null for a browser. */
  readonly captiveWindow: OutsideView['system'] | null;
  /** No prefetch, and no request for the headers only. */
  readonly isReal: boolean;
  /** A browser without script has sent the form. */
  readonly plain: boolean;
  /** The browser has sent a cookie of ours. One that has not may refuse them. */
  readonly takesCookies: boolean;
  /** What tells this browser from others without a cookie; see browserMark. */
  readonly client: Pick<ClientInfo, 'address' | 'userAgent'>;
}

/** The language of texts that only the product has, such as mails: the guest's, else the default one of the portal. */
export const productLanguage = (
  { language }: Pick<Frame, 'language'>,
  { portal }: { readonly portal: Pick<PortalRow, 'page'> | null },
): ShippedLanguage => shippedOf(language, ...offeredLanguages(portal?.page));

export const common = ({ language, nonce, script }: Frame) => ({ language, nonce, script });

export const portalView = (row: PortalRow): PortalView => ({
  id: row.id,
  name: row.name,
  styles: { ...defaultStyles, ...row.styles, custom_css: guestCss(row.styles.custom_css) },
  messages: inDefaultLanguage(row),
  sizes: row.sizes,
  page: {
    links: row.page?.links ?? [],
    languages: offeredLanguages(row.page),
    own_languages: row.page?.own_languages ?? [],
  },
});

/** Guests' pages get the compiled rules. */
const guestCss = (source: string | null | undefined) => (source ? compiledCss(source) : null);

/**
 * Texts that only the operator has: where a language lacks one, the default language's is shown. In a language that the
 * operator has added, all texts are the operator's.
 */
function inDefaultLanguage({ messages, page }: PortalRow): PortalRow['messages'] {
  const [first, ...others] = offeredLanguages(page);
  const filled = { ...messages };
  const own = others.concat(first!).filter(it => !isShipped(it));
  const base = shippedOf(first!, ...others);
  if (own.length)
    for (const key of messageKeys) {
      const words = filled[key];
      const from = words?.[first!] ? first! : base;
      const text = words?.[from] || defaultMessages[key][base];
      const textFor = (it: string) => (followsText(key) ? text : textFrom(from, text, it));
      filled[key] = { ...words, ...Object.fromEntries(own.filter(it => !words?.[it]).map(it => [it, textFor(it)])) };
    }
  for (const key of operatorsOwn) {
    const words = filled[key];
    const text = words?.[first!];
    if (text) filled[key] = { ...words, ...Object.fromEntries(others.filter(it => !words[it]).map(it => [it, text])) };
  }
  return filled;
}
const operatorsOwn = messageKeys.filter(key => !defaultMessages[key].en);
/** Whether the page shows a message in the direction of its own text. */
const followsText = (key: PortalMessageKey) => ([...operatorsOwn, ...richMessages] as string[]).includes(key);

/** The parts of a view that show where the guest is. */
export const placeView = (context: GuestContext) => ({
  portal: context.portal && portalView(context.portal),
  locationName: context.location_name,
});

type Address = Omit<Visit, 'nas'>;

/** The address of a guest's page; the default `{lang}` is filled in by the page. */
export const pageLink = (path: string, visit: Address, more = 'lang={lang}'): string =>
  `${path}?${visitQuery(visit)}&${more}`;

/** The query that the addresses of a guest's pages share. */
export const visitQuery = ({ mac, ip, login, orig }: Address): string =>
  String(new URLSearchParams({ mac, ip, login, orig }));

/** The portal's methods that guests can use, in order. The national registry is offered only if its address is set. */
export const offeredMethods = (row: PortalRow, settings: Pick<Settings, 'NVI_URL'>): Provider[] =>
  providersOf(row).filter(
    it =>
      it.is_active &&
      (!row.available?.length || row.available.includes(it.slug)) &&
      (workingMethods as readonly string[]).includes(it.slug) &&
      !(it.slug === 'citizen-id' && it.options.provider_type === 'nvi' && !settings.NVI_URL),
  );

// Portals' content is cached (guest-services.ts), so values derived from it can be cached by identity.
const completed = new WeakMap<readonly Provider[], readonly Provider[]>();
function providersOf({ providers }: PortalRow): readonly Provider[] {
  const known = completed.get(providers);
  if (known) return known;
  const made = storedProviders(providers);
  completed.set(providers, made);
  return made;
}

const agreementKinds = ['general', 'kvkk'] as const satisfies readonly AgreementKind[];

/** The agreements that the portal has. */
export const agreementsOf = ({ agreements }: Pick<PortalRow, 'agreements'>) =>
  agreementKinds.filter(kind => Object.values(agreements[kind] ?? {}).some(Boolean));

/** An operator's text in a language, else in the portal's first language that has one; empty without any. */
export const inLanguage = (
  texts: PerLanguage,
  language: PortalLanguage,
  portal?: Pick<PortalRow, 'page'> | null,
): string =>
  [language, ...(portal ? offeredLanguages(portal.page) : []), ...portalLanguages].map(it => texts[it]).find(Boolean) ??
  '';

interface ProblemParts {
  readonly problem: GuestProblem;
  readonly values?: Record<string, string | number>;
  readonly context?: GuestContext | undefined;
  readonly retry?: string | null;
  readonly form?: string | null;
  readonly more?: MoreAccess;
  readonly languageLink?: string | null;
}

const nothingMore: MoreAccess = { buy: null, voucher: null };

const usedUp: ReadonlySet<GuestProblem> = new Set(['expired', 'over_quota', 'over_time', 'free_over']);

/** What else a guest can get here who has used up the time or the data. */
export function moreAccess(
  { language }: Pick<Frame, 'language'>,
  { portal, sells }: Pick<GuestContext, 'portal' | 'sells'>,
  visit: Visit,
  problem: GuestProblem,
  settings: Pick<Settings, 'NVI_URL'>,
): MoreAccess {
  if (!usedUp.has(problem) || !portal) return nothingMore;
  const takesVouchers = offeredMethods(portal, settings).some(it => it.slug === 'voucher');
  return {
    buy: sells ? pageLink(`/w/${visit.nas}/buy`, visit, `lang=${language}`) : null,
    voucher: takesVouchers ? pageLink(`/w/${visit.nas}`, visit, `step=form&method=voucher&lang=${language}`) : null,
  };
}

export const problemView = (frame: Frame, it: ProblemParts): ProblemView => ({
  page: 'problem',
  ...common(frame),
  requestId: frame.requestId,
  languageLink: it.languageLink ?? null,
  ...(it.context ? placeView(it.context) : { portal: null, locationName: '' }),
  problem: it.problem,
  problemValues: it.values ?? {},
  retry: it.retry ?? null,
  form: it.form ?? null,
  more: it.more ?? nothingMore,
});
