import type { SmsConnection } from '@portico/contract/integration-kinds.ts';
import { type OperatorSlug } from '@portico/contract/integration-names.ts';
import { IntegrationError } from '../problems.ts';

/** The documented requests of each operator, and the parsing of its responses. */

export interface Account {
  readonly username: string;
  readonly password: string;
  readonly sender: string;
}
export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}
interface Answer {
  readonly status: number;
  readonly text: string;
}
export interface Message {
  readonly id: string;
  /** E.164. */
  readonly to: string;
  readonly text: string;
}
export type DeliveryReport = 'waiting' | 'delivered' | IntegrationError;

interface Operator {
  readonly send: (base: string, account: Account, message: Message) => Outgoing;
  /** The operator's id of the message; throws if it was refused. */
  readonly sent: (answer: Answer) => string;
  /** Undefined: this operator reports deliveries only to a callback address, which we do not have. */
  readonly ask?: (base: string, account: Account, id: string) => Outgoing;
  readonly report?: (answer: Answer) => DeliveryReport;
}

/** Tests put a fake server here. */
export const operatorBases: Record<OperatorSlug, string> = {
  netgsm: 'https://api.netgsm.com.tr',
  iletimerkezi: 'https://api.iletimerkezi.com',
  twilio: 'https://api.twilio.com',
  vonage: 'https://rest.nexmo.com',
};

type Json = Record<string, unknown>;
const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Json | undefined | null)?.[key], value);
const word = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

function read({ text, status }: Answer): Json {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json as Json;
  } catch {
    // Reported below.
  }
  throw new IntegrationError(status >= 400 ? 'refused' : 'bad_answer', `HTTP ${status}`);
}

const basic = ({ username, password }: Account) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const json = (url: string, body: object, headers: Record<string, string> = {}): Outgoing => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const form = (url: string, body: Record<string, string>, headers: Record<string, string> = {}): Outgoing => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(body).toString(),
});

const netgsmProblems: Record<string, string> = {
  '20': 'mesaj metni',
  '30': 'kullanıcı adı, parola veya API izni / IP',
  '40': 'gönderici adı (msgheader)',
  '50': 'İYS',
  '51': 'İYS marka kodu',
  '70': 'eksik veya hatalı alan',
  '80': 'gönderim sınırı',
  '85': 'mükerrer gönderim sınırı',
};

const netgsm: Operator = {
  send: (base, account, { to, text }) =>
    json(
      `${base}/sms/rest/v2/send`,
      // Filter 0: a code is not an advertisement.
      {
        msgheader: account.sender,
        encoding: 'TR',
        iysfilter: '0',
        messages: [{ msg: text, no: to.replace(/^\+90/, '').replace('+', '00') }],
      },
      { authorization: basic(account) },
    ),
  sent: answer => {
    const body = read(answer);
    const code = word(body['code']);
    if (code !== '00') {
      const detail = [code, netgsmProblems[code] ?? word(body['description'])].filter(Boolean).join(' ');
      throw new IntegrationError(code === '30' ? 'login_refused' : 'refused', detail);
    }
    return word(body['jobid']);
  },
  ask: (base, account, id) =>
    json(
      `${base}/sms/rest/v2/report`,
      { jobids: [id], pagenumber: 0, pagesize: 10 },
      { authorization: basic(account) },
    ),
  report: answer => {
    const status = word(at(read(answer), 'jobs', 0, 'status'));
    if (status === '' || status === '0') return 'waiting';
    return status === '1' ? 'delivered' : new IntegrationError('refused', `status ${status}`);
  },
};

const iletimerkezi: Operator = {
  send: (base, { username, password, sender }, { to, text }) =>
    json(`${base}/v1/send-sms/json`, {
      request: {
        authentication: { key: username, hash: password },
        order: {
          sender,
          sendDateTime: [],
          iys: '0',
          message: { text, receipents: { number: [to.replace(/^\+/, '')] } },
        },
      },
    }),
  sent: answer => {
    const body = read(answer);
    const code = word(at(body, 'response', 'status', 'code'));
    if (code !== '200')
      throw new IntegrationError(
        code === '401' ? 'login_refused' : 'refused',
        `${code} ${word(at(body, 'response', 'status', 'message'))}`.trim(),
      );
    return word(at(body, 'response', 'order', 'id'));
  },
  ask: (base, { username, password }, id) =>
    json(`${base}/v1/get-report/json`, {
      request: { authentication: { key: username, hash: password }, order: { id, page: 1, rowCount: 10 } },
    }),
  report: answer => {
    const status = word(at(read(answer), 'response', 'order', 'message', 0, 'status'));
    if (status === '' || status === '110') return 'waiting';
    return status === '111' ? 'delivered' : new IntegrationError('refused', `status ${status}`);
  },
};

const twilio: Operator = {
  send: (base, account, { to, text }) =>
    form(
      `${base}/2010-04-01/Accounts/${encodeURIComponent(account.username)}/Messages.json`,
      { To: to, From: account.sender, Body: text },
      { authorization: basic(account) },
    ),
  sent: answer => {
    const body = read(answer);
    if (answer.status >= 300)
      throw new IntegrationError(
        answer.status === 401 ? 'login_refused' : 'refused',
        [word(body['code']), word(body['message'])].filter(Boolean).join(' '),
      );
    return word(body['sid']);
  },
  ask: (base, account, id) => ({
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(account.username)}/Messages/${encodeURIComponent(id)}.json`,
    method: 'GET',
    headers: { authorization: basic(account) },
  }),
  report: answer => {
    const body = read(answer);
    const status = word(body['status']);
    if (status === 'delivered' || status === 'read') return 'delivered';
    if (/^(undelivered|failed|canceled)$/.test(status))
      return new IntegrationError(
        'refused',
        [status, word(body['error_code']), word(body['error_message'])].filter(Boolean).join(' '),
      );
    return 'waiting';
  },
};

const vonage: Operator = {
  send: (base, { username, password, sender }, { to, text }) =>
    form(`${base}/sms/json`, {
      api_key: username,
      api_secret: password,
      from: sender,
      to: to.replace(/^\+/, ''),
      text,
      // Some Turkish letters are missing in the basic SMS alphabet.
      ...(/[^\n\r -~]/.test(text) ? { type: 'unicode' } : {}),
    }),
  sent: answer => {
    const first = at(read(answer), 'messages', 0);
    const status = word(at(first, 'status'));
    if (status !== '0')
      throw new IntegrationError(
        status === '4' ? 'login_refused' : 'refused',
        `${status} ${word(at(first, 'error-text'))}`.trim(),
      );
    return word(at(first, 'message-id'));
  },
};

export const operators: Record<OperatorSlug, Operator> = { netgsm, iletimerkezi, twilio, vonage };

export const operatorOf = (connection: SmsConnection) =>
  connection.type === 'sms-http'
    ? undefined
    : { ...operators[connection.type], base: operatorBases[connection.type], account: connection };
