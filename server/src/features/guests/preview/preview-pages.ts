import type { BlockList } from '@portico/contract/block-kinds.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { GuestView, OnlineView, SignInView, SurveyView } from '@portico/contract/guests.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { PreviewDraft } from '@portico/contract/preview.ts';
import type { OfferedPackage } from '#features/packages/public.ts';
import type { NamedQuestion } from '#features/portals/public.ts';
import type { App } from '#lib/app.ts';
import { blockView } from '../block-views.ts';
import { offerView, orderFor } from '../buy/buy-views.ts';
import type { offersAt } from '../buy/offers.service.ts';
import type { PortalRow, WaysIn } from '../guest-context.queries.ts';
import { agreementsOf, common, type Frame, offeredMethods, portalView, problemView } from '../guest-views.ts';
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
  /** What guests of the portal's own location can buy; null for a portal of the whole tenant, which shows a sample. */
  readonly shop: Shop | null;
}

type Shop = Awaited<ReturnType<typeof offersAt>>;

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
    case 'buy':
    case 'confirm':
      return it.sells ? buyView(frame, it, wanted.page) : problemPage(frame, it, 'not_found');
    case 'survey':
      return surveyView(frame, it);
    case 'online':
      return onlineView(frame, it);
    case 'over':
      return overPage(app, frame, it);
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

function overPage(app: App, frame: Frame, it: Previewed): GuestView {
  const takesVouchers = offeredMethods(it.portal, app.settings).some(({ slug }) => slug === 'voucher');
  const more = { buy: it.sells ? anywhere : null, voucher: takesVouchers ? anywhere : null };
  return { ...problemPage(frame, it, 'over_time'), more };
}

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
  agreements: agreementsOf(it.portal).map(kind => ({ kind, href: anywhere })),
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

/** Its name is the length in the guest's language, because a portal of many locations has no package of its own. */
const sampleOffer = ({ language }: Frame): OfferedPackage => ({
  id: '',
  profile_id: '',
  name: {
    [language]: new Intl.NumberFormat(language, { style: 'unit', unit: 'hour', unitDisplay: 'long' }).format(24),
  },
  description: {},
  price: 499,
  currency: 'eur',
  tax_rate: 2000,
  min_days: 1,
  max_days: 7,
});

function buyView(frame: Frame, it: Previewed, step: 'buy' | 'confirm'): GuestView {
  const offers = it.shop?.offers.length ? it.shop.offers : [sampleOffer(frame)];
  const ways = it.shop?.ways ?? { card: true, rooms: [] };
  const [first] = offers as [OfferedPackage];
  const page = {
    page: 'buy' as const,
    ...common(frame),
    ...placeOf(it),
    problem: null,
    problemValues: {},
    form: anywhere,
  };
  if (step === 'buy') {
    const shown = offers.map(offer => offerView(offer, frame.language));
    return { ...page, at: { step: 'choose', action: anywhere, hidden: {}, offers: shown, restore: anywhere } };
  }
  const at = {
    step,
    ...{ action: anywhere, state: '', change: anywhere },
    order: orderFor(first, first.min_days, frame.language),
    agreements: agreementsOf(it.portal),
    agree: agreementVersion(it.portal),
    ...{ agreed: false, email: '', phone: '', wrong: [] },
    byCard: ways.card,
    room: ways.rooms.includes(first.currency) ? { known: null, number: '', surname: '', chosen: !ways.card } : null,
  };
  return { ...page, at };
}

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
