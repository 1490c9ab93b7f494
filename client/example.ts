// Run it with Node 24: PORTICO_URL=… PORTICO_TOKEN=… PORTICO_LOCATION=… node example.ts
import { randomUUID } from 'node:crypto';
import { createClient, PorticoError, reply, rows } from '@portico/client';

const { PORTICO_URL: url = '', PORTICO_TOKEN: token = '', PORTICO_LOCATION: location_id = '' } = process.env;
const portico = createClient({ url, token, tenant: 'panel', language: 'en' });

// Every row of a list, 200 at a time.
const visitors = (page: number) => portico.GET('/v1/panel/client', { params: { query: { page, per_page: 200 } } });
for await (const it of rows(visitors)) console.log(it.name);

// Sent twice with one key, as after a lost answer: one visitor is created.
const body = {
  location_id,
  name: 'Ada Deniz',
  provider_type: 'username',
  username: 'ada',
  password: 'secret1',
} as const;
const headers = { 'idempotency-key': randomUUID() };
const first = await reply(portico.POST('/v1/panel/client', { headers, body }));
const again = await reply(portico.POST('/v1/panel/client', { headers, body }));
console.log(first.data.id === again.data.id ? 'created once' : 'created twice');

// A refusal names its fields.
try {
  await reply(portico.POST('/v1/panel/client', { body: { ...body, username: 'eda', name: '' } }));
} catch (error) {
  if (!(error instanceof PorticoError)) throw error;
  console.log(error.status, error.code, error.errors);
}
