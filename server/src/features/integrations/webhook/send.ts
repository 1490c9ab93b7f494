import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { outboundRequest } from '#lib/outbound-http.ts';
import type { ConnectionTest, Stored, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';
import { signedHeaders } from './sign.ts';

export type Webhook = Extract<Stored, { type: 'webhook' }>;
const timeoutMs = 8000;

/** Posts a signed body and returns the status. The response body is not read: it might come from a foreign service. */
export async function post(app: App, webhook: Webhook, it: { id: string; body: string }): Promise<number> {
  const { status } = await outboundRequest({
    url: webhook.url,
    method: 'POST',
    headers: signedHeaders(webhook.signing, it),
    body: it.body,
    allowInside: app.settings.INTEGRATIONS_INSIDE,
    timeoutMs,
  });
  return status;
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** Sends a test event. Before the webhook is saved it has no secret, so the event is unsigned. */
export async function testWebhook({ app, connection }: ConnectionTest<Webhook>): Promise<TestResult[]> {
  const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: {} });
  const status = await post(app, connection, { id: newId(), body });
  if (!isAccepted(status)) throw new IntegrationError('refused', `HTTP ${status}`);
  return [{ name: 'status', value: String(status) }];
}
