import type { BlockList } from '@portico/contract/block-kinds.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { GuestView, OnlineView, SignInView, SurveyView } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { PreviewDraft } from '@portico/contract/preview.ts';
import type { NamedQuestion } from '#features/portals/public.ts';
import type { App } from '#lib/app.ts';
import { blockView } from '../block-views.ts';
import type { PortalRow, WaysIn } from '../guest-context.queries.ts';
import { common, type Frame, offeredMethods, portalView, problemView } from '../guest-views.ts';
import { agreementVersion } from '../sign-in/consents.queries.ts';
import { marketingBoxes } from '../sign-in/marketing.ts';
import { codeField, methodView } from '../sign-in/method-fields.ts';
import { hasOwnPage } from '../sign-in/sign-in-page.ts';
import { adView } from '../surveys/advertisements.ts';
import { questionView } from '../surveys/portal-rules.service.ts';

/** The guests' pages with sample values, for the editor's preview. They are rendered by the same code as the real ones. */

interface Previewed extends WaysIn {
  readonly portal: PortalRow;
  readonly place: string;
  /** The questions of the portal's first survey. */
  readonly questions: readonly NamedQuestion[] | null;
}

const anywhere = '#';
const hour = 3600;
const megabyte = 1_000_000;

export function pageView(app: App, frame: Frame, it: Previewed, wanted: PreviewDraft['view']): GuestView {
  const signIn = signInView(app, frame, it);
  switch (wanted.page) {
    case 'sign-in':
      return { ...signIn, chosen: wanted.method ?? null };
    case 'error': {
      const chosen = wanted.method ?? signIn.methods[0]?.slug ?? null;
      const problem = (chosen && refusals[chosen]) ?? 'wrong_details';
      if (hasOwnPage(problem)) return problemPage(frame, it, problem);
      return { ...signIn, chosen, problem };
    }
    case 'code': {
      const code = { slug: 'sms', phone: '+90 ••• ••• •• 67', field: codeField, back: anywhere } as const;
      return { ...signIn, chosen: 'sms', code, blocks: signIn.blocks.filter(({ kind }) => kind === 'advertisement') };
    }
    case 'survey':
      return surveyView(frame, it);
    case 'online':
      return onlineView(frame, it);
    case 'over':
      return problemPage(frame, it, 'over_time');
    case 'blocked':
      return problemPage(frame, it, 'blocked');
  }
}

/** A refusal that guests of the method get. The other methods compare details. */
const refusals: Partial<Record<ProviderSlug, GuestProblem>> = {
  username: 'wrong_credentials',
  email: 'bad_email',
  sms: 'bad_phone',
  temp: 'free_over',
  voucher: 'wrong_voucher',
};

const placeOf = ({ portal, place }: Previewed) => ({
  portal: portalView(portal),
  locationName: place,
  languageLink: '#{lang}',
});

const problemPage = (frame: Frame, it: Previewed, problem: GuestProblem) => ({
  ...problemView(frame, { problem, form: anywhere }),
  ...placeOf(it),
});

const firstAd = ({ portal }: Previewed, link: string | null) =>
  adView(
    portal.ads.find(ad => ad.type !== 'embed'),
    { link },
  );

/** All blocks, also those that are not shown now. */
const blocksOf = ({ portal }: Previewed, { language }: Frame, list: BlockList) =>
  (portal.page?.[list] ?? []).flatMap(
    it => blockView(it, { language, portal, menu: anywhere, survey: () => anywhere }) ?? [],
  );

const signInView = (app: App, frame: Frame, it: Previewed): SignInView => ({
  page: 'sign-in',
  ad: firstAd(it, null),
  blocks: blocksOf(it, frame, 'sign_in_blocks'),
  ...common(frame),
  ...placeOf(it),
  methods: offeredMethods(it.portal, app.settings).map(methodView),
  social: it.social,
  socialAction: anywhere,
  outside: null,
  action: anywhere,
  state: '',
  agreements: (['general', 'kvkk'] as const)
    .filter(kind => Object.values(it.portal.agreements[kind] ?? {}).some(Boolean))
    .map(kind => ({ kind, href: anywhere })),
  agree: agreementVersion(it.portal),
  marketing: marketingBoxes(it.portal, frame.language),
  ticked: [],
  problem: null,
  problemValues: {},
  chosen: null,
  retry: null,
  wrong: [],
  code: null,
  buy: it.sells ? anywhere : null,
  restore: it.sells || it.restores ? anywhere : null,
  values: {},
});

const onlineView = (frame: Frame, it: Previewed): OnlineView => ({
  page: 'online',
  ad: firstAd(it, anywhere),
  blocks: blocksOf(it, frame, 'connected_blocks'),
  ...common(frame),
  ...placeOf(it),
  online: true,
  startedAt: new Date(Date.now() - hour * 1000).toISOString(),
  secondsUsed: hour,
  secondsLeft: 3 * hour,
  bytesUsed: 120 * megabyte,
  bytesLeft: null,
  goOn: null,
  logOut: anywhere,
  ownData: anywhere,
  refresh: anywhere,
  buy: it.sells ? anywhere : null,
  confirm: null,
  watch: null,
  endsSoon: false,
  extend: null,
});

/** Until the portal has a survey, its page shows a question without text. */
const surveyView = (frame: Frame, it: Previewed): SurveyView => ({
  page: 'survey',
  ...common(frame),
  ...placeOf(it),
  action: anywhere,
  state: '',
  questions: (it.questions ?? []).map(question => questionView(question, frame, it.portal)),
  problem: null,
  problemValues: {},
});
