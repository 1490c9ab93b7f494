import { type PortalLanguage, portalLanguages } from '@portico/contract/errors.ts';
import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import {
  type AdView,
  type AgreementKind,
  type PortalView,
  type ProblemView,
  type SignInView,
  type SurveyView,
  workingMethods,
} from '@portico/contract/guests.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { keptProviders, type Provider } from '@portico/contract/portal-providers.ts';
import { defaultStyles } from '@portico/contract/portal-styles.ts';
import type { NamedQuestion } from '#features/portals/public.ts';
import type { Settings } from '../../settings.ts';
import type { Told } from './arrival/check-arrival.ts';
import type { PortalRow } from './guest-context.queries.ts';
import type { Door } from './guest-context.ts';
import { agreementVersion } from './sign-in/consents.queries.ts';
import { methodView } from './sign-in/method-fields.ts';

/** What of a view depends on the request and not on the guest. */
export interface Frame {
  readonly language: PortalLanguage;
  readonly nonce: string;
  readonly script: string;
  readonly requestId: string;
}

export const portalView = (row: PortalRow): PortalView => ({
  id: row.id,
  name: row.name,
  styles: { ...defaultStyles, ...row.styles },
  messages: row.messages,
});

export const common = ({ language, nonce, script }: Frame) => ({ language, nonce, script });

/** The address of a guest's page; `lang` is a place to fill. Errors are left behind: they were for one time. */
export function pageLink(
  path: string,
  { mac, ip, login, orig }: Omit<GuestArrival, 'error' | 'lang' | 'step' | 'v'>,
  more = 'lang={lang}',
): string {
  return `${path}?${arrivalQuery({ mac, ip, login, orig })}&${more}`;
}

/** What every address of a guest's pages carries. */
export const arrivalQuery = ({ mac, ip, login, orig }: Pick<GuestArrival, 'mac' | 'ip' | 'login' | 'orig'>): string =>
  String(new URLSearchParams({ mac, ip, login, orig }));

/** The methods of a portal that guests can use, in its order; the national registry's only where its address is known. */
export const offeredMethods = (row: PortalRow, settings: Pick<Settings, 'NVI_URL'>): Provider[] =>
  providersOf(row).filter(
    it =>
      it.is_active &&
      (!row.available?.length || row.available.includes(it.slug)) &&
      (workingMethods as readonly string[]).includes(it.slug) &&
      !(it.slug === 'citizen-id' && it.options.provider_type === 'nvi' && !settings.NVI_URL),
  );

// A portal's content is kept from guest to guest (door.ts), and with it what is made of it.
const completed = new WeakMap<readonly Provider[], readonly Provider[]>();
function providersOf({ providers }: PortalRow): readonly Provider[] {
  const known = completed.get(providers);
  if (known) return known;
  const made = keptProviders(providers);
  completed.set(providers, made);
  return made;
}

const agreementKinds = ['general', 'kvkk'] as const satisfies readonly AgreementKind[];

interface SignInParts {
  readonly nas: string;
  readonly state: string;
  /** That of the guest's arrival. */
  readonly query: string;
  readonly told: Told;
  readonly ad: AdView | null;
}

export function signInView(
  frame: Frame,
  door: Door & { portal: PortalRow },
  settings: Pick<Settings, 'NVI_URL'>,
  { nas, state, query, told, ad }: SignInParts,
): SignInView {
  const { agreements } = door.portal;
  return {
    page: 'sign-in',
    ...common(frame),
    ad,
    languageLink: `/w/${nas}?${query}&lang={lang}`,
    portal: portalView(door.portal),
    locationName: door.location_name,
    methods: offeredMethods(door.portal, settings).map(methodView),
    social: door.social,
    socialAction: `/w/${nas}/social`,
    action: `/w/${nas}/sign-in`,
    state,
    agreements: agreementKinds
      .filter(kind => Object.values(agreements[kind] ?? {}).some(Boolean))
      .map(kind => ({ kind, href: `/w/${nas}/agreement/${kind}?${query}&lang=${frame.language}` })),
    agree: agreementVersion(door.portal),
    agreed: told.agreed ?? false,
    problem: told.problem ?? null,
    problemValues: told.problemValues ?? {},
    chosen: told.chosen ?? null,
    wrong: told.wrong ?? [],
    code: told.code ?? null,
    values: told.values ?? {},
  };
}

/** An operator's text in a language, else in the first of the portal's that it is written in; empty where it is in none. */
export const inLanguage = (texts: PerLanguage, language: PortalLanguage): string =>
  [language, ...portalLanguages].map(it => texts[it]).find(Boolean) ?? '';

interface SurveyParts {
  readonly nas: string;
  readonly languageLink: string | null;
  readonly state: string;
  readonly questions: readonly NamedQuestion[];
  readonly problem: GuestProblem | null;
  readonly values: Readonly<Record<string, string | number>>;
}

export function surveyView(
  frame: Frame,
  door: Door & { portal: PortalRow },
  { nas, languageLink, state, questions, problem, values }: SurveyParts,
): SurveyView {
  // A survey in one language is asked in that.
  const say = (texts: PerLanguage) => inLanguage(texts, frame.language);
  return {
    page: 'survey',
    ...common(frame),
    languageLink,
    portal: portalView(door.portal),
    locationName: door.location_name,
    action: `/w/${nas}/survey`,
    state,
    questions: questions.map(({ id, label, type, answers }) => ({
      id,
      label: say(label),
      kind: answers.length ? type : 'text',
      answers: answers.map(answer => ({ id: answer.id, label: say(answer.label), emoji: answer.emoji })),
    })),
    problem,
    problemValues: values,
  };
}

interface ProblemParts {
  readonly problem: GuestProblem;
  readonly values?: Record<string, string | number>;
  readonly door?: Door | undefined;
  readonly retry?: string | null;
  readonly form?: string | null;
  readonly languageLink?: string | null;
}

export const problemView = (frame: Frame, it: ProblemParts): ProblemView => ({
  page: 'problem',
  ...common(frame),
  requestId: frame.requestId,
  languageLink: it.languageLink ?? null,
  portal: it.door?.portal ? portalView(it.door.portal) : null,
  locationName: it.door?.location_name ?? '',
  problem: it.problem,
  problemValues: it.values ?? {},
  retry: it.retry ?? null,
  form: it.form ?? null,
});
