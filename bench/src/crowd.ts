import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { tenant } from './list-queries.ts';
import { ms, summary } from './measure.ts';
import type { Product } from './product.ts';
import { makeGuests } from './radius-guests.ts';
import type { Guest } from './radius-packets.ts';
import type { Row } from './table.ts';

const alone = 100;
const atOnce = 200;
const overAMinute = 2000;
const minute = 60_000;
const goal = { most: 500, unit: 'ms' } as const;

interface SignedIn {
  readonly isIn: boolean;
  /** From the button to the way back to the router, in milliseconds. */
  readonly took: number;
}

/** The guests of one venue sign in: one after another on an idle server, 200 at the same moment, and 2,000 over a minute. */
export async function measureCrowd(product: Product): Promise<Row[]> {
  const guests = await makeGuests(product, tenant, {
    name: 'Crowd',
    mac: '02:AB',
    devices: 1,
    guestsPerDevice: alone + atOnce + overAMinute,
    portals: true,
  });
  const press = async (guest: Guest, state: string): Promise<SignedIn> => {
    const before = performance.now();
    const isIn = await signIn(product, guest, state);
    return { isIn, took: performance.now() - before };
  };
  const idle: SignedIn[] = [];
  for (const guest of guests.slice(0, alone)) {
    idle.push(await press(guest, await open(product, guest)));
    await sleep(10);
  }
  const reference = timingOf(idle).p95;

  const crowd = guests.slice(alone, alone + atOnce);
  const pages = await Promise.all(crowd.map(guest => open(product, guest)));
  const together = await Promise.all(crowd.map((guest, i) => press(guest, pages[i]!)));

  const stream = guests.slice(alone + atOnce);
  const spread = await Promise.all(
    stream.map(async (guest, i) => {
      await sleep((i * minute) / stream.length);
      return press(guest, await open(product, guest));
    }),
  );
  return [
    ...rowsOf(`${atOnce} guests sign in at once`, together, reference),
    ...rowsOf(`${overAMinute} guests sign in over a minute`, spread, reference),
  ];
}

const timingOf = (all: readonly SignedIn[]) =>
  summary(
    all.map(it => it.took),
    1,
  );

function rowsOf(work: string, all: readonly SignedIn[], reference: number): Row[] {
  const { p50, p95 } = timingOf(all);
  const lost = all.filter(it => !it.isIn).length;
  return [
    {
      work: `${work}: from the button to the way back to the router`,
      ours: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
      reference: `one after another p95 ${ms(reference)}`,
      ratio: p95 / reference,
      figure: p95,
      goal,
    },
    { work: '  lost', ours: String(lost), reference: '', figure: lost, goal: { most: 0, unit: '' } },
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
