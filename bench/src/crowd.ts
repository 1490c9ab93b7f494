import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { tenant } from './list-queries.ts';
import { ms, summary } from './measure.ts';
import type { Product } from './product.ts';
import { makeGuests } from './radius-guests.ts';
import type { Guest } from './radius-packets.ts';
import type { Row } from './table.ts';

const guests = 200;
const idleViews = 100;

/** Two hundred guests of one venue sign in at the same moment, beside the page for a single guest on an idle server. */
export async function measureCrowd(product: Product): Promise<Row[]> {
  const crowd = await makeGuests(product, tenant, {
    name: 'Crowd',
    mac: '02:AB',
    devices: 1,
    guestsPerDevice: guests,
    portals: true,
  });
  const idle: number[] = [];
  const began = performance.now();
  for (let i = 0; i < idleViews; i++) {
    const before = performance.now();
    await open(product, crowd[i % guests]!);
    idle.push(performance.now() - before);
    await sleep(10);
  }
  const page = summary(idle, (performance.now() - began) / 1000);
  const pages = await Promise.all(crowd.map(guest => open(product, guest)));

  const started = performance.now();
  const ended = await Promise.all(
    crowd.map(async (guest, i) => {
      const before = performance.now();
      const isIn = await signIn(product, guest, pages[i]!);
      return { isIn, took: performance.now() - before };
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const took = summary(
    ended.map(it => it.took),
    seconds,
  );
  const lost = ended.filter(it => !it.isIn).length;
  return [
    {
      work: `${guests} guests sign in at once: lost`,
      ours: String(lost),
      reference: '',
      figure: lost,
      goal: { most: 0, unit: '' },
    },
    {
      work: '  from the button to the way back to the router',
      ours: `p50 ${ms(took.p50)}, p95 ${ms(took.p95)}`,
      reference: `idle page p95 ${ms(page.p95)}`,
      ratio: took.p95 / page.p95,
      figure: took.p95,
      goal: { most: 1000, unit: 'ms' },
    },
  ];
}

const pathOf = ({ nas, mac, ip }: Guest): string =>
  `/w/${nas}?${new URLSearchParams({ mac, ip, login: 'http://10.5.50.1/login', orig: 'http://example.com/', lang: 'tr' })}`;

/** The signed field of the page's form. */
export async function open(product: Product, guest: Guest): Promise<string> {
  const response = await fetch(product.captiveUrl + pathOf(guest));
  const state = /name="state" value="([^"]*)"/.exec(await response.text())?.[1];
  if (!state) throw new Error(`The sign-in page of ${guest.nas}: ${response.status}`);
  return state;
}

/** Whether the guest is sent back to the router with a ticket. */
export async function signIn(product: Product, { nas, username, password }: Guest, state: string): Promise<boolean> {
  const response = await fetch(`${product.captiveUrl}/w/${nas}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ state, method: 'username', username, password, lang: 'tr' }),
  });
  await response.arrayBuffer();
  const back = response.headers.get('location') ?? '';
  return response.status === 303 && back.startsWith('http://10.5.50.1/login?username=');
}
