import { type GuestProblem, guestProblems, ownPageProblems } from '@portico/contract/guest-problems.ts';
import { type SignInView, workingMethods } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import { captiveOrigin } from '#lib/origins.ts';
import type { Settings } from '../../../settings.ts';
import { formTargets } from '../arrival/addresses.ts';
import { shownBlocks } from '../block-views.ts';
import type { GuestAnswer, GuestValues, SignInTemplate } from '../guest-answer.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import type { GuestContext, GuestRequest } from '../guest-context.ts';
import type { GuestServices } from '../guest-services.ts';
import { type CodeFacts, packState } from '../guest-state.ts';
import {
  agreementsOf,
  common,
  type Frame,
  moreAccess,
  offeredMethods,
  pageLink,
  portalView,
  problemView,
  visitQuery,
} from '../guest-views.ts';
import type { KeptPage } from '../kept-page.ts';
import { outsideView } from '../social/captive-window.ts';
import { chooseAd } from '../surveys/advertisements.ts';
import { agreementVersion } from './consents.queries.ts';
import { marketingBoxes } from './marketing.ts';
import { codeField, methodView } from './method-fields.ts';
import type { PageMessage } from './page-message.ts';

type OwnPageProblem = (typeof ownPageProblems)[number];
/** Whether a problem has a page of its own, because no other input in the form would help. */
export const hasOwnPage = (problem: string | null | undefined): problem is OwnPageProblem =>
  (ownPageProblems as readonly unknown[]).includes(problem);

export interface PageOptions {
  readonly status?: number;
  /** Set for the page that asks for the code that was sent. */
  readonly code?: CodeFacts | undefined;
  /** The guest has seen this page before, also where nothing was typed. */
  readonly isAgain?: boolean;
  /** The link to the router for a guest whom it has not answered, see connect.service.ts. */
  readonly retry?: string | undefined;
}

/** The page with the portal's methods or with the field for a code, or the own page of a problem. */
export function signInPage(
  { app }: GuestServices,
  frame: Frame,
  { context, login, visit }: GuestRequest,
  message: PageMessage,
  { status = 200, code, isAgain = false, retry }: PageOptions = {},
): GuestAnswer {
  const address = {
    path: pageLink(`/w/${visit.nas}`, visit, stepTo(frame, message)),
    kept: { mac: visit.mac, portal: visit.portal, status, message, ...(code && { code }) },
  };
  if (hasOwnPage(message.problem)) {
    const { problem, problemValues = {} } = message;
    const path = `/w/${visit.nas}`;
    const form = pageLink(path, visit, `step=form&lang=${frame.language}`);
    const languageLink = pageLink(path, visit, `step=${problem}&lang={lang}`);
    const more = moreAccess(frame, context, visit, problem, app.settings);
    const view = problemView(frame, { problem, values: problemValues, context, form, more, languageLink });
    return { view, status, address };
  }
  const state = packState(app.secrets, code ? { step: 'code', visit, ...code } : { step: 'sign-in', visit });
  const { blocks: all, takesAd } = shownBlocks(frame.language, context, 'sign_in_blocks');
  const isEmpty = Object.values(message).every(it => it === undefined);
  const page = isEmpty && !isAgain ? 'sign-in' : 'again';
  const shownAd = takesAd ? chooseAd(frame, context, { page, mac: visit.mac }) : undefined;
  // The page that asks for a code stays short.
  const blocks = message.code ? all.filter(it => it.kind === 'advertisement') : all;
  const values = { nas: visit.nas, query: visitQuery(visit), state };
  const viewOf: SignInTemplate['view'] = (nonce, it) =>
    signInView({ ...frame, nonce }, context, app.settings, { ...it, message, ad: shownAd?.ad ?? null, blocks, retry });
  const more = { status, formTarget: formTargets(login, context.portal), ...(shownAd && { shownAd }), address };
  const content = context.portal.revision;
  if (isEmpty && !retry && content) return { template: { content, view: viewOf, values }, ...more };
  return { view: viewOf(frame.nonce, values), ...more };
}

/** The query of this page. The problem and the open method are in it for browsers without cookies. */
const stepTo = (frame: Frame, { problem, chosen }: PageMessage): string =>
  hasOwnPage(problem)
    ? `step=${problem}`
    : `${openMethod(frame, chosen)}step=form${problem ? `&problem=${problem}` : ''}`;

/** The open method in the address of the form; empty for browsers whose cookie has it. */
export const openMethod = ({ takesCookies }: Frame, chosen: string | null | undefined): string =>
  chosen && !takesCookies ? `method=${chosen}&` : '';

export const isMethod = (text: string): text is ProviderSlug => (workingMethods as readonly string[]).includes(text);

/** The page that the guest's last form led to, or at least its problem and its method. */
export function pageAgain(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  {
    kept,
    problem,
    method,
    retry,
  }: {
    readonly kept: KeptPage | undefined;
    readonly problem: string;
    readonly method: string;
    readonly retry?: string | undefined;
  },
): GuestAnswer {
  const { message = {}, status = 200, code } = kept ?? {};
  const isAgain = true;
  // A link of the page led to this method, and not to the form that was sent last.
  if (kept && isMethod(method) && method !== message.chosen)
    return signInPage(services, frame, request, { ...typedIn(kept), chosen: method }, { isAgain });
  // The link to the form leads here from the problem's own page. A code that was not used can still be entered.
  if (hasOwnPage(message.problem)) {
    const shown = { ...typedIn(kept), ...(code && message.code && { code: message.code }) };
    return signInPage(services, frame, request, shown, { code, isAgain, retry });
  }
  if (kept) return signInPage(services, frame, request, message, { status, code, isAgain, retry });
  const shown = {
    ...(isProblem(problem) && !hasOwnPage(problem) && { problem }),
    ...(isMethod(method) && { chosen: method }),
  };
  return signInPage(services, frame, request, shown, { isAgain, retry });
}

/** The own page of a problem, as after the guest's last form. */
export function ownPageAgain(
  services: GuestServices,
  frame: Frame,
  request: GuestRequest,
  { kept, problem }: { readonly kept: KeptPage | undefined; readonly problem: OwnPageProblem },
): GuestAnswer {
  const { message, status = 200 } = kept ?? {};
  // The wait is over: nothing is in the way of the form any more.
  if (problem === 'too_many' && kept && !message?.problem)
    return signInPage(services, frame, request, typedIn(kept), { isAgain: true });
  if (message?.problem !== problem) return signInPage(services, frame, request, { problem });
  const answer = signInPage(services, frame, request, message, { status });
  const seconds = Number(message.problemValues?.['seconds']);
  return status === 429 && 'view' in answer && seconds ? { ...answer, retryAfter: seconds } : answer;
}

/** The guest's input, for a page that the guest opens again. */
export const typedIn = (kept: KeptPage | undefined): PageMessage => {
  const { chosen, values, ticked } = kept?.message ?? {};
  return { ...(chosen && { chosen }), ...(values && { values }), ...(ticked && { ticked }) };
};

export const isProblem = (text: string): text is GuestProblem => (guestProblems as readonly string[]).includes(text);

function signInView(
  frame: Frame,
  context: GuestContext & { portal: PortalRow },
  settings: Settings,
  {
    nas,
    state,
    query,
    message,
    ad,
    blocks,
    retry,
  }: GuestValues & Pick<PageOptions, 'retry'> & { readonly message: PageMessage } & Pick<SignInView, 'ad' | 'blocks'>,
): SignInView {
  return {
    page: 'sign-in',
    ...common(frame),
    ad,
    blocks,
    languageLink: `/w/${nas}?${query}&step=form&lang={lang}`,
    portal: portalView(context.portal),
    locationName: context.location_name,
    methods: offeredMethods(context.portal, settings).map(methodView),
    social: context.social,
    socialAction: `/w/${nas}/social`,
    outside:
      frame.captiveWindow && context.social.length
        ? outsideView(frame.captiveWindow, `${captiveOrigin(settings, context.tenant_slug)}/o/${nas}`)
        : null,
    buy: context.sells ? `/w/${nas}/buy?${query}&lang=${frame.language}` : null,
    restore: context.sells || context.restores ? `/w/${nas}/restore?${query}&lang=${frame.language}` : null,
    action: `/w/${nas}/sign-in`,
    state,
    agreements: agreementsOf(context.portal).map(kind => ({
      kind,
      href: `/w/${nas}/agreement/${kind}?${query}&lang=${frame.language}`,
    })),
    agree: agreementVersion(context.portal),
    marketing: marketingBoxes(context.portal, frame.language),
    ticked: message.ticked ?? [],
    problem: message.problem ?? null,
    // The reason of a refusal is newer.
    retry: message.problem ? null : (retry ?? null),
    problemValues: message.problemValues ?? {},
    chosen: message.chosen ?? null,
    wrong: message.wrong ?? [],
    code: message.code
      ? { ...message.code, field: codeField, back: `/w/${nas}?${query}&lang=${frame.language}` }
      : null,
    values: message.values ?? {},
  };
}
