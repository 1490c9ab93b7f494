import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Body, startApi } from '#test/harness.ts';
import { testSeed } from '#test/seed.ts';

/** Random sales, reversals and prices against a model of the money. Many more of them: npm run model -- --runs=100000 */

const api = await startApi();
const { token } = await api.user('tenant-admin');
// A run is some fifty requests, so there is one for a hundred venues of the model of sessions.
const runs = Math.max(5, Math.ceil(Number(process.env['MODEL_RUNS'] ?? 0) / 100));
const seed = testSeed();

const days = fc.integer({ min: 1, max: 40 });
const which = fc.nat(20);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('create' as const), profile: fc.nat(2), days }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('extend' as const), which, days }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change' as const), which, days }) },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('reverse' as const), which, days: fc.option(days, { nil: undefined }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('reprice' as const),
      profile: fc.nat(2),
      value: fc.integer({ min: 1, max: 900 }),
      option: fc.constantFrom('eur', 'try', 'usd'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), which }) },
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
type Step = { readonly it: Action; readonly twice: boolean };
const steps = fc.array(fc.record({ it: action, twice: fc.boolean() }), { minLength: 3, maxLength: 14 });

interface Visitor {
  readonly id: string;
  readonly profile: number;
  days: number;
}
interface Entry {
  readonly visitor: Visitor | undefined;
  readonly days: number;
  readonly price: number;
  readonly currency: string;
}
interface Sale extends Entry {
  readonly id: string;
  left: number;
}

class Shop {
  readonly entries: Entry[] = [];
  readonly sales: Sale[] = [];
  visitors: Visitor[] = [];
  readonly prices: { id: string; value: number; option: string }[] = [];
  readonly location: string;

  constructor(location: string) {
    this.location = location;
  }

  /** Sends a POST, once more with the same key if `twice`, as a browser does that got no answer. */
  private async post(path: string, body: object, twice: boolean) {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await api.post(path, { token, body, headers });
    if (twice && first.status < 300) expect((await api.post(path, { token, body, headers })).text).toBe(first.text);
    return first;
  }

  private async sold(visitor: Visitor, count: number): Promise<void> {
    visitor.days += count;
    const { value: price, option: currency } = this.prices[visitor.profile]!;
    const [newest] = (await api.get(`panel/client/${visitor.id}/sales?per_page=1`, { token })).body.data;
    const entry = { visitor, days: count, price, currency };
    this.entries.push(entry);
    this.sales.push({ ...entry, id: newest.id, left: count });
  }

  async price(profile: number, value: number, option: string): Promise<void> {
    const body = { name: 'Ücretli', location_id: this.location, paid_sale: { is_active: true, option, value } };
    const known = this.prices[profile];
    const answer = known
      ? await api.put(`panel/location/user-profile/${known.id}`, { token, body })
      : await api.post('panel/location/user-profile', { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    this.prices[profile] = { id: answer.body.data.id, value, option };
  }

  async act({ it, twice }: Step): Promise<void> {
    if (it.does === 'reprice') return this.price(it.profile, it.value, it.option);
    if (it.does === 'create') {
      const body = {
        ...{ location_id: this.location, name: 'Alan', provider_type: 'username', password: 'parola1' },
        ...{ username: `alan-${crypto.randomUUID().slice(0, 8)}`, profile_id: this.prices[it.profile]!.id },
        total_paid_day: it.days,
      };
      const answer = await this.post('panel/client', body, twice);
      expect(answer.status, answer.text).toBe(201);
      const visitor = { id: answer.body.data.id, profile: it.profile, days: 0 };
      this.visitors.push(visitor);
      return this.sold(visitor, it.days);
    }
    if (it.does === 'reverse') return this.reverse(it, twice);
    const visitor = this.visitors[it.which % this.visitors.length];
    if (!visitor) return;
    const at = `panel/client/${visitor.id}`;
    if (it.does === 'delete') {
      expect((await api.delete(at, { token })).status).toBe(204);
      this.visitors = this.visitors.filter(other => other !== visitor);
    } else if (it.does === 'extend') {
      const answer = await this.post(`${at}/extend`, { days: it.days }, twice);
      expect(answer.status, answer.text).toBe(200);
      await this.sold(visitor, it.days);
    } else {
      const answer = await api.put(at, { token, body: { total_paid_day: it.days } });
      if (it.days < visitor.days) expect(Object.keys(answer.body.errors)).toEqual(['total_paid_day']);
      else expect(answer.status, answer.text).toBe(200);
      if (it.days > visitor.days) await this.sold(visitor, it.days - visitor.days);
    }
  }

  private async reverse(it: { which: number; days: number | undefined }, twice: boolean): Promise<void> {
    const sale = this.sales[it.which % this.sales.length];
    if (!sale) return;
    const count = it.days ?? sale.left;
    const answer = await this.post(
      `panel/reports/sales/${sale.id}/reverse`,
      { days: it.days, reason: 'Yanlış' },
      twice,
    );
    if (count > sale.left || count < 1) {
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['days']]);
      return;
    }
    expect(answer.status, answer.text).toBe(201);
    sale.left -= count;
    if (sale.visitor) sale.visitor.days = Math.max(0, sale.visitor.days - count);
    this.entries.push({ ...sale, days: -count });
  }

  /** The figures that the screens show. */
  async shown() {
    const list = (await api.get(`panel/reports/sales?location_id=${this.location}&per_page=200`, { token })).body;
    const month = (await api.get(`panel/reports/total-sales-current-month?location_id=${this.location}`, { token }))
      .body;
    const visitors = await Promise.all(
      this.visitors.map(async ({ id }) => (await api.get(`panel/client/${id}`, { token })).body.data.total_paid_day),
    );
    return {
      entries: list.data.map((s: Body) => `${s.days} × ${s.unit_price} ${s.currency} = ${s.total}`).sort(),
      totals: month.data.totals
        .filter((sum: Body) => sum.total !== 0)
        .map((sum: Body) => `${sum.total} ${sum.currency}`)
        .sort(),
      visitors,
    };
  }

  expected() {
    const totals = new Map<string, number>();
    for (const { days: count, price, currency } of this.entries)
      totals.set(currency, (totals.get(currency) ?? 0) + count * price);
    return {
      entries: this.entries.map(it => `${it.days} × ${it.price} ${it.currency} = ${it.days * it.price}`).sort(),
      totals: [...totals]
        .filter(([, total]) => total !== 0)
        .map(([currency, total]) => `${total} ${currency}`)
        .sort(),
      visitors: this.visitors.map(it => it.days),
    };
  }
}

test(`the sales report and what visitors have paid for equal the model: MODEL_SEED=${seed}`, async () => {
  const property = fc.asyncProperty(steps, async list => {
    const shop = new Shop(await api.location(token, 'Dükkân'));
    for (const [profile, option] of ['eur', 'try', 'eur'].entries()) await shop.price(profile, 5 + profile, option);
    for (const step of list) await shop.act(step);
    expect(await shop.shown()).toEqual(shop.expected());
  });
  await fc.assert(property, { numRuns: runs, seed });
}, 3_600_000);
