import { phone } from '@portico/contract/fields.ts';
import type { SmsConnection } from '@portico/contract/integration-kinds.ts';
import { invalid } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { oneLine } from '#lib/one-line.ts';
import { type OutboundAnswer, outboundRequest } from '#lib/outbound-http.ts';
import { escaperOf, fillTemplate } from '#sms/gateway.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';
import { type DeliveryReport, type Message, type Outgoing, operatorOf } from './operators.ts';

const timeoutMs = 10_000;
const ask = (app: App, it: Outgoing): Promise<OutboundAnswer> =>
  outboundRequest({ ...it, allowInside: app.settings.INTEGRATIONS_INSIDE, timeoutMs });

type Http = Extract<SmsConnection, { type: 'sms-http' }>;

function headersOf(connection: Http, values: Record<string, string>): Record<string, string> {
  const lines = connection.headers.split('\n').filter(line => line.trim());
  return Object.fromEntries(
    lines.map(line => {
      const [name = '', ...rest] = line.split(':');
      return [
        name.trim().toLowerCase(),
        fillTemplate(rest.join(':').trim(), values, text => text.replace(/[^ -~]/g, '')),
      ];
    }),
  );
}

function outgoing(connection: Http, message: Message): Outgoing {
  const { username, password, sender, method } = connection;
  const values = { ...message, number: message.to.slice(1), username, password, sender };
  const posts = method === 'POST';
  return {
    url: fillTemplate(connection.url, values, encodeURIComponent),
    method,
    headers: { ...(posts ? { 'content-type': connection.content_type } : {}), ...headersOf(connection, values) },
    body: posts ? fillTemplate(connection.body, values, escaperOf(connection.content_type)) : undefined,
  };
}

const longestId = 200;

/** Sends a message by a gateway. Returns the gateway's id of it, if there is one. */
export async function sendBy(app: App, connection: SmsConnection, message: Message): Promise<string> {
  const operator = operatorOf(connection);
  if (operator) {
    const id = operator.sent(await ask(app, operator.send(operator.base, operator.account, message)));
    // The message is on its way. An id that cannot be stored would have it sent again.
    return id === oneLine(id, longestId) ? id : '';
  }
  const http = connection as Http;
  const answer = await ask(app, outgoing(http, message));
  if (answer.status < 200 || answer.status >= 300)
    throw new IntegrationError(answer.status === 401 ? 'login_refused' : 'refused', `HTTP ${answer.status}`);
  if (http.answer_has && !answer.text.includes(http.answer_has))
    throw new IntegrationError('refused', oneLine(answer.text, 200));
  return '';
}

export const reportsDelivery = (connection: SmsConnection): boolean => operatorOf(connection)?.ask !== undefined;

/** The gateway's delivery report of a message. */
export async function deliveryReport(app: App, connection: SmsConnection, id: string): Promise<DeliveryReport> {
  const operator = operatorOf(connection);
  if (!operator?.ask || !operator.report) return 'waiting';
  return operator.report(await ask(app, operator.ask(operator.base, operator.account, id)));
}

const trial = {
  en: 'Test message: this SMS gateway works.',
  tr: 'Deneme mesajı: bu SMS geçidi çalışıyor.',
} as const;

/** Sends a test message to the given number. */
export async function testSms({ app, connection, language, to }: ConnectionTest<SmsConnection>): Promise<TestResult[]> {
  const number = `+${(to ?? '')
    .replace(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^0?(?=5\d{9}$)/, '90')}`;
  if (!phone.safeParse(to).success || !/^\+[1-9]\d{7,14}$/.test(number)) throw invalid({ to: 'phone_format' });
  const id = await sendBy(app, connection, { id: newId(), to: number, text: trial[language] });
  return [{ name: 'message_id', value: id || null }];
}
