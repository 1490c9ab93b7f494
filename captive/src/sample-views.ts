import type {
  AdView,
  AgreementView,
  AwayView,
  BlockView,
  BuyView,
  ConfirmEmailView,
  ConnectView,
  DataView,
  FullView,
  HandOverView,
  OnlineView,
  PassView,
  PortalView,
  ProblemView,
  SignInView,
  SurveyView,
} from '@portico/contract/guests.ts';
import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';

/** Views for the tests of this folder. */

const common = {
  language: 'en',
  languageLink:
    '/w/abcdefgh1234?mac=AA:BB:CC:DD:EE:01&ip=10.5.50.9&login=http://10.5.50.1/login&orig=http://example.com/&lang={lang}',
  nonce: 'bm9uY2U=',
  script: '/guest.js?v=12345678',
  locationName: 'Kafe Çınar',
} as const;

export const portalWith = (styles: Partial<PortalStyles> = {}): PortalView => ({
  id: '0193d1a0-0000-7000-8000-000000000001',
  name: 'Lobby',
  styles: { ...defaultStyles, ...styles },
  messages: {},
  page: { links: [], languages: ['en', 'tr', 'de', 'ru', 'ar'], own_languages: [] },
  sizes: {},
});

export const signIn: SignInView = {
  page: 'sign-in',
  ad: null,
  blocks: [],
  ...common,
  portal: portalWith(),
  methods: [
    {
      slug: 'username',
      fields: [
        { name: 'username', type: 'text', autocomplete: 'username' },
        { name: 'password', type: 'password', autocomplete: 'current-password' },
      ],
    },
  ],
  social: [],
  socialAction: '/w/abcdefgh1234/social',
  outside: null,
  buy: null,
  restore: null,
  action: '/w/abcdefgh1234/sign-in',
  state: 'c3RhdGU'.repeat(30),
  agreements: [
    { kind: 'general', href: '/w/abcdefgh1234/agreement/general' },
    { kind: 'kvkk', href: '/w/abcdefgh1234/agreement/kvkk' },
  ],
  agree: '0123456789abcdef0123456789abcdef',
  marketing: [],
  ticked: [],
  problem: null,
  retry: null,
  problemValues: {},
  chosen: null,
  wrong: [],
  code: null,
  values: {},
};

export const everyMethod: SignInView = {
  ...signIn,
  methods: [
    { slug: 'citizen-id', fields: [{ name: 'citizen_id', type: 'text', autocomplete: 'off', inputmode: 'numeric' }] },
    {
      slug: 'room-number',
      fields: [
        { name: 'room_number', type: 'text', autocomplete: 'off' },
        { name: 'birth_date', type: 'date', autocomplete: 'bday' },
      ],
    },
    { slug: 'sms', fields: [{ name: 'phone', type: 'tel', autocomplete: 'tel', inputmode: 'tel' }] },
    ...signIn.methods,
    { slug: 'temp', fields: [{ name: 'email', type: 'email', autocomplete: 'email', optional: true }] },
    {
      slug: 'email',
      fields: [
        { name: 'email', type: 'email', autocomplete: 'email' },
        { name: 'security_code', type: 'text', autocomplete: 'off' },
      ],
    },
  ],
};

export const codeStep: SignInView = {
  ...everyMethod,
  chosen: 'sms',
  code: {
    slug: 'sms',
    phone: '+90 ••• ••• •• 67',
    field: { name: 'code', type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric' },
    back: '/w/abcdefgh1234?lang=en',
  },
};

export const problem: ProblemView = {
  page: 'problem',
  ...common,
  portal: portalWith(),
  problem: 'license_over',
  problemValues: {},
  retry: '/w/abcdefgh1234',
  form: null,
  more: { buy: null, voucher: null },
  requestId: '0193d1a0-0000-7000-8000-00000000abcd',
};

export const online: OnlineView = {
  page: 'online',
  ad: null,
  blocks: [],
  ...common,
  portal: portalWith(),
  online: true,
  startedAt: '2026-11-20T10:00:00Z',
  secondsUsed: 754,
  secondsLeft: 86_400 + 3600,
  bytesUsed: 1_234_567_890,
  bytesLeft: null,
  goOn: 'https://example.com/a?b=1',
  logOut: '/w/abcdefgh1234/log-out',
  buy: null,
  ownData: '/w/abcdefgh1234/my-data?lang=en',
  refresh: '/w/abcdefgh1234/online?lang=en',
  confirm: null,
  watch: '/w/abcdefgh1234/online/state?lang=en&has=t',
  endsSoon: false,
  extend: null,
};

export const onlineWithVoucher: OnlineView = {
  ...online,
  extend: { action: '/w/abcdefgh1234/extend', adds: true, added: false, problem: 'voucher_other', problemValues: {} },
};

export const onlineEndingSoon: OnlineView = {
  ...online,
  secondsLeft: 540,
  buy: '/w/abcdefgh1234/buy',
  endsSoon: true,
  extend: { action: '/w/abcdefgh1234/extend', adds: false, added: false, problem: null, problemValues: {} },
};

export const onlineUnconfirmed: OnlineView = {
  ...online,
  confirm: {
    email: 'a•••@example.com',
    action: '/w/abcdefgh1234/mail',
    sent: true,
    problem: 'bad_email',
    problemValues: {},
    typed: 'ada@',
  },
};

export const confirmEmail: ConfirmEmailView = {
  page: 'confirm-email',
  ...common,
  portal: portalWith(),
  action: '/w/abcdefgh1234/confirm-email',
  token: 'abc',
  email: 'ada@example.com',
  done: false,
};

export const agreement: AgreementView = {
  page: 'agreement',
  ...common,
  portal: portalWith(),
  kind: 'general',
  html: '<p style="text-align:center">Terms</p>',
  back: '/w/abcdefgh1234',
};

export const pass: PassView = {
  page: 'pass',
  ...common,
  portal: portalWith(),
  connect: 'http://10.5.50.1/login',
};

export const survey: SurveyView = {
  page: 'survey',
  ...common,
  portal: portalWith(),
  action: '/w/abcdefgh1234/survey',
  state: signIn.state,
  questions: [
    {
      id: 'q1',
      label: 'Were you pleased?',
      kind: 'single',
      answers: [
        { id: 'a1', label: '', emoji: 'bad' },
        { id: 'a2', label: 'Fine', emoji: 'good' },
      ],
    },
    {
      id: 'q2',
      label: 'What did you like?',
      kind: 'multiple',
      answers: [
        { id: 'a1', label: 'The tea', emoji: null },
        { id: 'a2', label: 'The view', emoji: null },
      ],
    },
    { id: 'q3', label: 'What else?', kind: 'text', answers: [] },
  ],
  problem: null,
  problemValues: {},
};

const picture = '/uploads/0193d1a0-0000-7000-8000-000000000001/advertisement-0193d1a0-0000-7000-8000-00000000000';
export const advertisement: AdView = {
  id: 'x',
  name: 'Tea',
  images: [`${picture}1.webp`, `${picture}2.webp`],
  link: '/w/abcdefgh1234/ad/x/open',
  frame: null,
  video: null,
  seconds: null,
};
/** Keeps the sign-in form waiting. */
export const video: AdView = {
  ...advertisement,
  images: [`${picture}1.webp`],
  link: null,
  video: `${picture}3.mp4`.replace('advertisement-', 'video-'),
  seconds: 5,
};

export const full: FullView = {
  page: 'full',
  ...common,
  portal: portalWith(),
  action: '/w/abcdefgh1234/make-room',
  state: signIn.state,
  devices: [
    { id: '0193d1a0-0000-7000-8000-000000000001', mac: 'AA:BB:••:••:••:01', startedAt: '2026-11-20T10:00:00Z' },
  ],
  timeZone: 'Europe/Istanbul',
  problem: null,
  problemValues: {},
  back: '/w/abcdefgh1234',
};

export const data: DataView = {
  page: 'data',
  ...common,
  portal: portalWith(),
  action: '/w/abcdefgh1234/my-data',
  file: '/w/abcdefgh1234/my-data/file',
  person: [
    { field: 'name', value: 'Ayşe' },
    { field: 'email', value: 'ayse@example.com' },
  ],
  since: '2026-11-20T10:00:00Z',
  timeZone: 'Europe/Istanbul',
  marketing: [
    {
      channel: 'email',
      text: 'You may send me news by e-mail.',
      version: 'e1',
      recipient: 'a•••@example.com',
      givenAt: '2026-11-01T10:00:00Z',
    },
    {
      channel: 'sms',
      text: 'You may send me news by SMS.',
      version: 's1',
      recipient: '+90 ••• ••• •• 67',
      givenAt: null,
    },
  ],
  marketingSaved: false,
  notice: '/w/abcdefgh1234/agreement/kvkk',
  consents: [{ at: '2026-11-20T10:00:00Z', language: 'tr' }],
  sessions: [{ mac: 'AA:BB:••:••:••:01', startedAt: '2026-11-20T10:00:00Z', endedAt: null, bytes: 12_345 }],
  responses: 1,
  remembered: true,
  whole: false,
  lawDays: 730,
  email: 'a•••@example.com',
  mailed: false,
};

export const handOver: HandOverView = {
  page: 'hand-over',
  ...common,
  languageLink: null,
  portal: portalWith(),
  way: 'in',
  action: 'https://192.168.5.1:8090/login.xml',
  fields: { mode: '191', username: 'ticket', password: 'ticket' },
  framed: true,
  opensPage: false,
  next: '/w/abcdefgh1234/online?new=1',
  tried: false,
};

export const away: AwayView = {
  page: 'away',
  ...common,
  languageLink: null,
  portal: portalWith(),
  provider: 'Example',
  href: 'https://login.example.com/',
};

/** The page that leads to the router, and the same once nothing has answered there. */
export const connecting: readonly ConnectView[] = [false, true].map(tried => ({
  page: 'connect',
  ...common,
  portal: portalWith(),
  href: 'http://10.5.50.1/login?username=ticket&password=ticket',
  tried,
  retry: '/w/abcdefgh1234/connect?n=2',
  form: '/w/abcdefgh1234/connect?n=0',
}));

const order = { name: '<Day> & night', days: 3, price: 499, amount: 1497, tax: 250, taxRate: 2000, currency: 'eur' };

/** The pages of a purchase, in the order in which a guest sees them. */
export const buying: readonly BuyView[] = (
  [
    {
      step: 'choose',
      action: '/w/abcdefgh1234/buy',
      hidden: { mac: 'AA:BB:CC:DD:EE:01', lang: 'en' },
      offers: [
        { id: '1', name: '<Day>', description: 'Fast', price: 499, currency: 'eur', minDays: 1, maxDays: 7 },
        { id: '2', name: 'Week', description: '', price: 300, currency: 'try', minDays: 7, maxDays: 7 },
      ],
      restore: '/w/abcdefgh1234/restore',
    },
    {
      step: 'confirm',
      action: '/w/abcdefgh1234/buy',
      state: 'c3RhdGU',
      order,
      agreements: ['general'],
      agree: '0123',
      agreed: false,
      email: '',
      phone: '',
      byCard: true,
      room: { known: null, number: '101', surname: '', chosen: true },
      wrong: ['email'],
      change: '/w/abcdefgh1234/buy',
    },
    { step: 'pay', href: 'https://pay.example.com/1', order, asked: false, refresh: '/w/abcdefgh1234/pay?check=1' },
    { step: 'charging', order, refresh: '/w/abcdefgh1234/pay?check=1', isSlow: false },
    { step: 'charging', order, refresh: '/w/abcdefgh1234/pay?check=1', isSlow: true },
    { step: 'failed', again: '/w/abcdefgh1234/buy' },
    { step: 'elsewhere', again: null },
    { step: 'switching', refresh: '/w/abcdefgh1234/pay' },
    {
      step: 'restore',
      action: '/w/abcdefgh1234/restore',
      state: 'c3RhdGU',
      sent: true,
      wrong: [],
      typed: '',
    },
  ] as const
).map(at => ({
  page: 'buy',
  ...common,
  portal: portalWith(),
  problem: at.step === 'failed' ? 'pay_failed' : null,
  problemValues: {},
  form: '/w/abcdefgh1234',
  at,
}));

/** About as much as an owner writes. */
export const blocks: readonly BlockView[] = [
  {
    kind: 'text',
    html: '<h2>Breakfast</h2><p>On the terrace from 7 to 10. <a href="https://hotel.example/menu" rel="noopener">Ask us</a> for a table by the window, and try the jam of our garden.</p>',
  },
  { kind: 'picture', src: advertisement.images[0]!, alt: 'The terrace', shape: 'wide' },
  { kind: 'button', label: 'Menu', href: '/m/abcdefgh12?lang=en' },
  { kind: 'advertisement' },
  { kind: 'button', label: 'Write a review', href: 'https://review.example/1' },
];
