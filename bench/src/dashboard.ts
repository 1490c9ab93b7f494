import { openHttp } from './http-client.ts';
import { tenant } from './list-queries.ts';
import { ms } from './measure.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const names = ['overview', 'visits', 'platforms', 'browsers', 'devices'];
const rounds = 60;
const warmUp = 10;
const goalMs = 10;

/** The calls of the dashboard one after another, for a tenant administrator: the default period, and a year. */
export async function measureDashboard(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const client = openHttp(product.url, { authorization: `Bearer ${token}`, 'x-tenant': tenant });
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  try {
    const rows: Row[] = [];
    for (const [work, query] of [
      ['dashboard, all calls, 7 days', ''],
      ['  the same over a year', `?start_at=${day(364)}&end_at=${day(0)}`],
    ] as const) {
      const took: number[] = [];
      for (let round = -warmUp; round < rounds; round++) {
        const began = performance.now();
        for (const name of names) {
          const { status } = await client.get(`/v1/panel/statistics/${name}${query}`);
          if (status !== 200) throw new Error(`${name}: ${status}`);
        }
        if (round >= 0) took.push(performance.now() - began);
      }
      took.sort((a, b) => a - b);
      const half = took[rounds / 2]!;
      const ours = `p50 ${ms(half)}, p95 ${ms(took[Math.floor(rounds * 0.95)]!)}`;
      // The goal covers the default period only. The year shows how a chosen period grows.
      rows.push({
        work,
        ours,
        reference: '',
        ...(query === '' && { figure: half, goal: { most: goalMs, unit: 'ms' } }),
      });
    }
    return rows;
  } finally {
    client.close();
  }
}
