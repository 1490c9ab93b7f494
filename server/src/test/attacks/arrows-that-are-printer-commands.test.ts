import { beforeAll, expect, test } from 'vitest';
import { startPrinter } from '#features/printers/testing/escpos-printer.ts';
import { afterFile } from '../after-file.ts';
import { type Body, startApi, type TestApi } from '../harness.ts';

/**
 * The attack: in the code pages of receipt printers, arrows and other signs stand where control characters are, so `←` is ESC. A
 * name of a batch opens the drawer with the money, or has the printer keep a picture.
 */

let api: TestApi;
let token: string;
let location: string;
let paper: Awaited<ReturnType<typeof startPrinter>>;
beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel ←p0');
  paper = await startPrinter(`127.${[0, 0, 0].map(() => 2 + Math.floor(Math.random() * 250)).join('.')}`);
  afterFile(() => paper.stop());
});

const made = async (at: string, body: object): Promise<Body> => {
  const answer = await api.post(at, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

test.each(['cp857', 'windows1254', 'ascii'])('names give a printer with %s no commands', async letters => {
  const signs = '←p0←@↔V0►◄↕‼¶§▬↨↑↓→∟▲▼☺☻♥♦♣♠•◘○◙♂♀♪♫☼⌂';
  const card = { ssid: `Ağ ${signs}`.slice(0, 32), wifi_password: 'parola 12', language: 'tr', text: signs };
  expect((await api.put(`panel/location/${location}/voucher-card`, { token, body: card })).status).toBe(200);
  const day = { is_active: true, option: 'day', value: 1 };
  const form = { name: `Batch ${signs}`, location_id: location, valid_for: day, at_desk: true };
  const batch = await made('panel/voucher-batch', form);
  const [voucher] = await made(`panel/voucher-batch/${batch.id}/issue`, { count: 1 });
  const printer = await made(`panel/location/${location}/printers`, { name: letters, host: paper.host, letters });
  const body = { batch_id: batch.id, voucher_ids: [voucher.id] };
  const answer = await api.post(`panel/printer/${printer.id}/vouchers`, { token, body });
  expect(answer.status, answer.text).toBe(200);
  expect(paper.unknown).toEqual([]);
  const { text } = paper.receipts.at(-1)!;
  expect(text).toContain(voucher.code);
  expect(text).toContain('Batch ?p0?@?V0');
  expect(text).not.toMatch(/[^\n\P{Cc}]/u);
});
