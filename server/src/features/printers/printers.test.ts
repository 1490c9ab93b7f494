import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { patience } from './print.ts';
import { printable } from './receipt.ts';
import { startPrinter } from './testing/escpos-printer.ts';

let api: TestApi;
let token: string;
let location: string;
let batch: Body;
let paper: Awaited<ReturnType<typeof startPrinter>>;
let printer: Body;

/** Each file has a loopback address of its own: the port is fixed. */
const loopback = () => `127.${[0, 0, 0].map(() => 2 + Math.floor(Math.random() * 250)).join('.')}`;
const post = (at: string, body: object, as = token) => api.post(at, { token: as, body });
const made = async (at: string, body: object): Promise<Body> => {
  const answer = await post(at, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const issue = async (count = 1): Promise<Body[]> => made(`panel/voucher-batch/${batch['id']}/issue`, { count });
const print = (cards: readonly Body[], as = token, at = printer) =>
  post(`panel/printer/${at['id']}/vouchers`, { batch_id: batch['id'], voucher_ids: cards.map(it => it['id']) }, as);
const change = (body: object, as = token) => api.put(`panel/printer/${printer['id']}`, { token: as, body });

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Şişli Oteli ğıİ');
  const day = { is_active: true, option: 'day', value: 1 };
  batch = await made('panel/voucher-batch', { name: 'Günlük', location_id: location, valid_for: day, at_desk: true });
  const card = { ssid: 'Misafir', wifi_password: 'parola;12', language: 'tr', text: 'Hoş geldiniz\u001bm\u0007!' };
  const set = await api.put(`panel/location/${location}/voucher-card`, { token, body: card });
  expect(set.status, set.text).toBe(200);
  paper = await startPrinter(loopback());
  printer = await made(`panel/location/${location}/printers`, { name: 'Resepsiyon', host: paper.host });
  const ofProduct = { ...patience };
  afterFile(() => Object.assign(patience, ofProduct));
  return () => paper.stop();
}, 120_000);
beforeEach(() => {
  Object.assign(paper, { isMute: false, hasPaper: true, isOpen: false, roll: Infinity, breaksAfter: Infinity });
  paper.receipts.length = 0;
  // A busy machine is no printer without an answer.
  Object.assign(patience, { connectMs: 60_000, answerMs: 60_000, receiptMs: 60_000, closeMs: 60_000 });
});

describe('a receipt printer', () => {
  test('prints a voucher with Turkish letters, both QR codes, and a cut', async () => {
    const [card] = await issue();
    const answer = await print([card!]);
    expect([answer.status, answer.body.data], answer.text).toEqual([200, { printed: 1 }]);
    expect(paper.receipts).toHaveLength(1);
    const { text, qr } = paper.receipts[0]!;
    expect(qr).toEqual(['WIFI:T:WPA;S:Misafir;P:parola\\;12;;', card!['sign_in_url']]);
    for (const words of [
      'Şişli Oteli ğıİ',
      'Wi-Fi kuponu',
      'Parola: parola;12',
      card!['code'],
      'Hoş geldiniz m !',
      'Günlük - ',
    ])
      expect(text).toContain(words);
    expect(paper.unknown).toEqual([]);
  });

  test('prints with its other code page, or plain letters, on narrow paper', async () => {
    const [card] = await issue();
    for (const [letters, name] of [
      ['windows1254', 'Şişli Oteli ğıİ'],
      ['ascii', 'Sisli Oteli giI'],
    ] as const) {
      expect((await change({ letters, paper: '58' })).status).toBe(200);
      expect((await print([card!])).status).toBe(200);
      const { text } = paper.receipts.at(-1)!;
      expect(text).toContain(name);
      expect(Math.max(...text.split('\n').map(it => it.length))).toBeLessThanOrEqual(32);
    }
    expect((await change({ letters: 'cp857', paper: '80' })).status).toBe(200);
    expect(printable('я €\u0007', 'cp857')).toBe('? € ');
    expect(printable('Привет', 'cp866')).toBe('Привет');
  });

  test('that is away, empty, open or broken says so; the voucher stays issued and prints again', async () => {
    const [card] = await issue();
    const refused = async (field = 'printer_id') => {
      const answer = await print([card!]);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [field]]);
      return answer.body.errors[field][0];
    };
    paper.hasPaper = false;
    expect(await refused()).toContain('no paper');
    paper.hasPaper = true;
    paper.isOpen = true;
    expect(await refused()).toContain('cover');
    paper.isOpen = false;
    paper.breaksAfter = 100;
    expect(await refused()).toContain('stopped');
    paper.breaksAfter = Infinity;
    expect((await change({ port: 9101 })).status).toBe(200);
    expect(await refused()).toContain('does not answer');
    expect((await change({ port: 9100 })).status).toBe(200);
    expect(paper.receipts).toEqual([]);
    expect((await print([card!])).status).toBe(200);
    expect(paper.receipts[0]!.text).toContain(card!['code']);
    const { today } = (await api.get(`panel/voucher-desk?location_id=${location}`, { token })).body.data;
    expect(today.map((it: Body) => it['code'])).toContain(card!['code']);
  }, 30_000);

  test('whose roll ends in the middle does not claim that all was printed', async () => {
    const cards = await issue(3);
    paper.roll = 2;
    const answer = await print(cards);
    expect([answer.status, answer.body.errors?.printer_id?.[0]]).toEqual([422, expect.stringContaining('no paper')]);
    expect(paper.receipts).toHaveLength(2);
  });

  test('that answers no questions still prints', async () => {
    paper.isMute = true;
    patience.answerMs = 100;
    expect((await print(await issue(2))).status).toBe(200);
    expect(paper.receipts).toHaveLength(2);
  });

  test('is checked field by field, and listens on a printer’s port only', async () => {
    for (const [wrong, field] of [
      [{ name: '' }, 'name'],
      [{ host: 'a b' }, 'host'],
      [{ host: 'nowhere.invalid' }, 'host'],
      [{ port: 25 }, 'port'],
      [{ port: 6379 }, 'port'],
      [{ paper: '76' }, 'paper'],
      [{ letters: 'utf-8' }, 'letters'],
    ] as const) {
      const answer = await post(`panel/location/${location}/printers`, { name: 'A', host: paper.host, ...wrong });
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(wrong)).toEqual([422, [field]]);
    }
  });

  test('in our own network is refused where the installation does not allow that', async () => {
    const { settings } = api.app;
    const inside = settings.INTEGRATIONS_INSIDE;
    Object.assign(settings, { INTEGRATIONS_INSIDE: false });
    try {
      for (const host of ['127.0.0.1', '10.0.0.5', '192.168.1.9', '169.254.169.254', '::1', 'localhost']) {
        const answer = await post(`panel/location/${location}/printers`, { name: 'A', host });
        expect([answer.status, Object.keys(answer.body.errors ?? {})], host).toEqual([422, ['host']]);
      }
      const [card] = await issue();
      expect((await print([card!])).body.errors.printer_id[0]).toContain('not allowed');
      expect(paper.receipts).toEqual([]);
    } finally {
      Object.assign(settings, { INTEGRATIONS_INSIDE: inside });
    }
  });

  test('prints for the desk, is set up by others, and serves its own location', async () => {
    const [card] = await issue();
    const desk = (await api.user('member', { location, permissions: ['store-vouchers'] })).token;
    const viewer = (await api.user('member', { location, permissions: ['view-vouchers'] })).token;
    expect((await print([card!], desk)).status).toBe(200);
    expect((await change({ name: 'B' }, desk)).status).toBe(403);
    expect((await print([card!], viewer)).status).toBe(403);
    const elsewhere = await api.location(token, 'Başka');
    const stranger = (
      await api.user('member', { location: elsewhere, permissions: ['store-vouchers', 'update-vouchers'] })
    ).token;
    expect((await print([card!], stranger)).status).toBe(404);
    expect((await change({ name: 'B' }, stranger)).status).toBe(404);
    const other = await made(`panel/location/${elsewhere}/printers`, { name: 'Uzak', host: paper.host });
    const foreign = await print([card!], token, other);
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ['batch_id']]);
    const unknown = await print([{ id: crypto.randomUUID() }]);
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['voucher_ids']]);
    expect((await api.delete(`panel/printer/${other['id']}`, { token })).status).toBe(204);
    expect((await api.get(`panel/location/${elsewhere}/printers`, { token })).body.data).toEqual([]);
  });
});
