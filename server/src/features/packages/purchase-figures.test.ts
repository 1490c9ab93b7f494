import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import type { Body } from '#test/harness.ts';
import { startShop } from './testing/shop.ts';

const { venue, day, read, post, purchases, sales, newEmail, begin, bought } = await startShop();

describe('the figures', () => {
  beforeAll(async () => {
    await venue.run(sql`update locations set time_zone = ${zoneAtNoon()}`);
    venue.newMac();
    await bought(1);
    venue.newMac();
    const { purchase } = await bought(2);
    await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Yanlış' });
    venue.newMac();
    // Nothing was paid.
    await begin(newEmail(), 1);
    venue.newMac();
  });

  test('of a package, of the report and of the file are the sums of the same rows', async () => {
    const rows = await sales();
    const cents = (list: Body[]) => list.reduce((sum, it) => sum + Math.round(it.total * 100), 0);
    const [mine] = (await read('panel/package')).data.filter((it: Body) => it.id === day['id']);
    expect(mine.revenue).toEqual([{ currency: 'eur', amount: cents(rows.filter(it => it.purchase_id)) }]);
    const paid = (await purchases()).filter(it => it.paid_at);
    expect(mine.sold).toBe(paid.length);
    const [some] = paid;
    for (const search of [some!.email.toUpperCase(), some!.payment])
      expect(
        (await read(`panel/purchase?search=${search}&state=${some!.state}`)).data.map((it: Body) => it.id),
      ).toContain(some!.id);
    expect((await read('panel/purchase?search=nobody@example.com')).data).toEqual([]);
    const today = (await read('panel/reports/total-sales-today')).data;
    expect(Math.round(today.total * 100)).toBe(cents(rows));
    const file = await venue.api.get('panel/purchase?download=true', { token: venue.admin, language: 'en' });
    expect(file.headers.get('content-disposition')).toContain('purchases.csv');
    const lines = file.text.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength((await purchases()).length);
    const columns = lines.map(it => it.split(','));
    for (const [, paid] of columns) expect(paid).toMatch(/^(|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d)$/);
    const sum = columns
      .filter(it => it[1])
      .reduce((total, it) => total + Math.round(Number(it[7]) * 100) - Math.round(Number(it[11]) * 100), 0);
    expect(sum).toBe(cents(rows.filter(it => it.purchase_id)));
  });

  test('of the totals are the sums of the rows and of the file, with every filter', async () => {
    const today = (await venue.rows(sql`select local_day('Europe/Istanbul')::text as day`))[0]!['day'] as string;
    // Just before and after a midnight in Istanbul.
    const [late, early] = await purchases();
    await venue.run(sql`update purchases set created_at = '2026-03-01T20:59:59Z' where id = ${late!.id}`);
    await venue.run(sql`update purchases set created_at = '2026-03-01T21:00:00Z' where id = ${early!.id}`);
    await venue.run(sql`update locations set time_zone = 'Europe/Istanbul' where id = ${venue.location}`);
    for (const [filter, count] of [
      ['', undefined],
      ['state=paid', undefined],
      ['state=refunded', undefined],
      ['provider=test-payment', undefined],
      ['provider=stripe', 0],
      [`location_id=${venue.location}`, undefined],
      [`search=${late!.email}`, undefined],
      ['first_day=2026-03-01&last_day=2026-03-01', 1],
      ['first_day=2026-03-02&last_day=2026-03-02', 1],
      ['first_day=2026-03-01&last_day=2026-03-02', 2],
      ['last_day=2026-02-28', 0],
      [`first_day=${today}`, undefined],
    ] as const) {
      const rows: Body[] = (await read(`panel/purchase?per_page=200&${filter}`)).data;
      if (count !== undefined) expect(rows, filter).toHaveLength(count);
      const totals: Body[] = (await read(`panel/purchase/totals?${filter}`)).data;
      const paid = rows.filter(it => it.paid_at);
      const sum = (of: (it: Body) => number) => paid.reduce((all, it) => all + of(it), 0);
      const backOf = (it: Body): number => (it.refunded_at ? it.amount : it.returned);
      const all = {
        count: paid.length,
        paid: sum(it => it.amount),
        refunded: sum(backOf),
        tax: sum(it => Math.round((it.tax * (it.amount - backOf(it))) / it.amount)),
      };
      expect(totals, filter).toEqual(paid.length ? [{ provider: 'test-payment', currency: 'eur', ...all }] : []);
      const { text } = await venue.api.get(`panel/purchase?download=true&${filter}`, { token: venue.admin });
      const lines = text.trim().split('\r\n').slice(1);
      expect(
        lines.map(line => line.split(',')[0]),
        filter,
      ).toEqual(rows.map(it => it.id));
      const cells = lines.map(line => line.split(',')).filter(it => it[1]);
      const taxLeft = cells.reduce((left, it) => left + Math.round(100 * (Number(it[9]) - Number(it[12]))), 0);
      expect(taxLeft, filter).toBe(all.tax);
    }
    for (const field of ['first_day', 'last_day']) {
      const answer = await venue.api.get(`panel/purchase/totals?${field}=2026-02-30`, { token: venue.admin });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    }
    const bad = await venue.api.get('panel/purchase?provider=cash', { token: venue.admin });
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['provider']]);
    await venue.api.tenantId('elsewhere');
    const foreigner = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const theirs = await venue.api.get('panel/purchase/totals', { token: foreigner.token, tenant: 'elsewhere' });
    expect(theirs.body.data).toEqual([]);
  });

  test('of a refund are shown at the desk of its location, without the guest', async () => {
    const { purchase, email } = await bought(2);
    await post(`panel/purchase/${purchase['id']}/refund`, { reason: 'Çalışmadı' });
    const desk = await venue.api.get(`panel/voucher-desk?location_id=${venue.location}`, { token: venue.admin });
    expect(desk.body.data.refunds[0]).toMatchObject({ amount: 998, currency: 'eur', reason: 'Çalışmadı' });
    expect(desk.text).not.toContain(email);
    const other = await venue.create('panel/location', { name: 'Başka' });
    const elsewhere = await venue.api.get(`panel/voucher-desk?location_id=${other.id}`, { token: venue.admin });
    expect(elsewhere.body.data.refunds).toEqual([]);
  });

  test('of each purchase are exact in the file, in its state and in the language of the reader', async () => {
    const { purchase } = await bought(3);
    const { id } = purchase;
    await venue.run(
      sql`update locations set time_zone = 'Europe/Istanbul', name = 'Kafe' where id = ${venue.location}`,
    );
    const email = `${purchase['email']}`;
    const cells = async (language: 'tr' | 'en'): Promise<string[][]> => {
      const at = `panel/purchase?download=true&search=${email}`;
      const { text } = await venue.api.get(at, { token: venue.admin, language });
      const lines = text.trim().split('\r\n');
      return lines.map(line => line.split(','));
    };
    const [columns, row] = await cells('en');
    expect(columns!.join()).toBe(
      'Purchase,Paid,Refunded,Location,Package,Days,Currency,Gross,Tax rate %,Tax,Net,Refund,Refunded tax,Status,Provider,Payment,E-mail',
    );
    const payment = `test-${id.slice(-12)}`;
    expect([row![0], ...row!.slice(3)].join()).toBe(
      `${id},Kafe,Day <pass>,3,EUR,14.97,20.00,2.50,12.47,,,Paid,test-payment,${payment},${email}`,
    );
    expect((await cells('tr'))[0]!.join()).toBe(
      'Satın alma,Ödendi,İade edildi,Lokasyon,Paket,Gün,Para birimi,Brüt,Vergi oranı %,Vergi,Net,İade,İade edilen vergi,Durum,Sağlayıcı,Ödeme,E-posta',
    );
    const paid = {
      paid_at: '2026-01-05T21:30:05Z',
      refunded_at: null,
      amount: 1497,
      returned: 0,
      tax: 250,
      tax_rate: 2000,
    };
    const back = { ...paid, refunded_at: '2026-07-01T09:00:00Z' };
    const unpaid = { ...paid, paid_at: null };
    const [paidOn, backOn] = ['2026-01-06 00:30:05+03', '2026-07-01 12:00:00+03'];
    for (const [state, now, en, tr, figures] of [
      ['open', unpaid, 'Not paid yet', 'Henüz ödenmedi', ',,14.97,20.00,2.50,12.47,,'],
      ['failed', unpaid, 'Not paid', 'Ödenmedi', ',,14.97,20.00,2.50,12.47,,'],
      ['refused', unpaid, 'Refused', 'Reddedildi', ',,14.97,20.00,2.50,12.47,,'],
      // The money for a wrong amount went back: it was never income.
      ['refunded', { ...back, paid_at: null }, 'Refunded', 'İade edildi', `,${backOn},14.97,20.00,2.50,12.47,,`],
      ['paid', paid, 'Paid', 'Ödendi', `${paidOn},,14.97,20.00,2.50,12.47,,`],
      ['refunding', paid, 'Being refunded', 'İade ediliyor', `${paidOn},,14.97,20.00,2.50,12.47,,`],
      ['paid', { ...paid, returned: 499 }, 'Paid', 'Ödendi', `${paidOn},,14.97,20.00,2.50,12.47,4.99,0.83`],
      [
        'refunded',
        { ...back, returned: 499 },
        'Refunded',
        'İade edildi',
        `${paidOn},${backOn},14.97,20.00,2.50,12.47,14.97,2.50`,
      ],
      [
        'charged-back',
        back,
        'Charged back',
        'Banka geri aldı',
        `${paidOn},${backOn},14.97,20.00,2.50,12.47,14.97,2.50`,
      ],
      // Less than one unit, and a tax that is exactly between two.
      [
        'paid',
        { ...paid, amount: 6, returned: 3, tax: 1, tax_rate: 850 },
        'Paid',
        'Ödendi',
        `${paidOn},,0.06,8.50,0.01,0.05,0.03,0.00`,
      ],
      [
        'paid',
        { ...paid, amount: 100, returned: 7, tax: 0, tax_rate: 0 },
        'Paid',
        'Ödendi',
        `${paidOn},,1.00,0.00,0.00,1.00,0.07,0.00`,
      ],
    ] as const) {
      await venue.run(sql`
        update purchases set state = ${state}, paid_at = ${now.paid_at}, refunded_at = ${now.refunded_at}, amount = ${now.amount},
          returned = ${now.returned}, tax = ${now.tax}, tax_rate = ${now.tax_rate}
        where id = ${id}`);
      const [, english] = await cells('en');
      expect([...english!.slice(1, 3), ...english!.slice(7, 13)].join(), `${state} ${figures}`).toBe(figures);
      const [, turkish] = await cells('tr');
      expect([english![13], turkish![13]]).toEqual([en, tr]);
    }
  });
});
