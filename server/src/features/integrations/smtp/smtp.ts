import { isIP, Socket } from 'node:net';
import { email } from '@portico/contract/fields.ts';
import type { SmtpConnection } from '@portico/contract/integration-kinds.ts';
import type { Transporter } from 'nodemailer';
import { invalid } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { outboundAddress } from '#lib/outbound.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';

/** A conversation may take so long in all. A server that answers a little now and then is never silent for long. */
const conversationMs = 30_000;

/** A socket that ends after this time, even if the server still answers. */
function limitedSocket(ms: number): Socket {
  const socket = new Socket();
  const end = () => socket.destroy(Object.assign(new Error('The mail server took too long'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(end, ms).unref();
  // A socket that was never connected has no other listener.
  return socket.on('error', () => undefined).once('close', () => clearTimeout(timer));
}

/** A connection to the location's own mail server at the checked address, for one conversation. The caller closes it. */
export async function openMailer(app: App, it: SmtpConnection, ms = conversationMs): Promise<Transporter> {
  const address = await outboundAddress(it.host, app.settings.INTEGRATIONS_INSIDE);
  if (!address) throw new AddressRefused('this address is not allowed');
  const { createTransport } = await import('nodemailer');
  return createTransport({
    host: address,
    socket: limitedSocket(ms),
    port: it.port,
    secure: it.security === 'tls',
    requireTLS: it.security === 'starttls',
    ignoreTLS: it.security === 'none',
    tls: { host: it.host, ...(isIP(it.host) ? {} : { servername: it.host }) },
    ...(it.username ? { auth: { user: it.username, pass: it.password } } : {}),
    connectionTimeout: 8000,
    greetingTimeout: 8000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as object);
}

const trial = {
  en: ['Test mail', 'This mail server works: mails to your guests go out through it.'],
  tr: ['Deneme e-postası', 'Bu posta sunucusu çalışıyor: misafirlerinize e-postalar bu sunucudan gönderilecek.'],
} as const;

/** Signs in there. With a recipient, it sends a test mail. */
export async function testSmtp({
  app,
  connection,
  language,
  to,
}: ConnectionTest<SmtpConnection>): Promise<TestResult[]> {
  const address = to ? email.safeParse(to) : undefined;
  if (address && !address.success) throw invalid({ to: 'email' });
  const mailer = await openMailer(app, connection);
  try {
    if (!address) {
      await mailer.verify();
      return [{ name: 'server', value: `${connection.host}:${connection.port}` }];
    }
    const [subject, text] = trial[language];
    const { response } = await mailer.sendMail({
      from: { name: connection.from_name, address: connection.from_address },
      to: { name: '', address: address.data },
      subject,
      text,
    });
    return [{ name: 'answer', value: String(response).slice(0, 200) }];
  } finally {
    mailer.close();
  }
}
