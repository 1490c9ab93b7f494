import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { open, signIn } from './crowd.ts';
import type { HostileLoad } from './hostile-load.ts';
import { tenant } from './list-queries.ts';
import { ms, summary, whole } from './measure.ts';
import type { Product } from './product.ts';
import { makeGuests } from './radius-guests.ts';
import type { Row } from './table.ts';

const guests = 100;
const count = 10_000;
/** Requests under way at once, as from one machine of an attacker. */
const inFlight = 32;
const maxMs = 12_000;

const json = { 'content-type': 'application/json', 'x-tenant': tenant };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Hostile requests of each kind while guests sign in one after another: what a guest waits, from the page to the way back. */
export async function measureHostile(product: Product): Promise<Row[]> {
  const rightful = await makeGuests(product, tenant, {
    name: 'Hostile',
    mac: '02:AC',
    devices: 1,
    guestsPerDevice: guests,
    portals: true,
  });
  const { nas } = rightful[0]!;
  const state = await open(product, rightful[0]!);
  const { url, captiveUrl } = product;
  const post = { method: 'POST' };
  const kinds: [string, Pick<HostileLoad, 'url' | 'method' | 'path' | 'headers' | 'body'>][] = [
    [
      'made-up tokens',
      { url, method: 'GET', path: '/v1/panel/user/me', headers: { ...json, authorization: 'Bearer {n}' } },
    ],
    [
      'wrong passwords of the panel',
      {
        ...post,
        url,
        path: '/v1/user/login',
        headers: json,
        body: '{"email":"a{n}@example.com","password":"wrong {n}"}',
      },
    ],
    [
      'large bodies before a sign-in',
      { ...post, url, path: '/v1/user/login', headers: json, body: `{"a":[${'0,'.repeat(50_000)}0]}` },
    ],
    [
      'pages for made-up MACs',
      {
        url: captiveUrl,
        method: 'GET',
        path: `/w/${nas}?mac=02:AD:00:00:00:01&ip=10.5.{n}&login=http://10.5.50.1/login`,
        headers: {},
      },
    ],
    [
      'wrong passwords of guests',
      {
        ...post,
        url: captiveUrl,
        path: `/w/${nas}/sign-in`,
        headers: form,
        body: `state=${state}&method=username&username=x{n}&password=y`,
      },
    ],
    [
      'forged states',
      {
        ...post,
        url: captiveUrl,
        path: `/w/${nas}/sign-in`,
        headers: form,
        body: `state=${state}x{n}&method=username&username=x&password=y`,
      },
    ],
  ];
  const rows: Row[] = [];
  const quiet = await signInDuring(product, rightful, new Promise(resolve => setTimeout(resolve, 3000)));
  for (const [work, kind] of kinds) {
    const load = run({ ...kind, count, inFlight, maxMs });
    const { took, lost } = await signInDuring(product, rightful, load);
    const statuses = Object.entries(await load);
    const sent = statuses.reduce((sum, [, n]) => sum + n, 0);
    const { p50, p99 } = summary(took, 1);
    rows.push({
      work: `${whole(sent)} ${work} (${statuses.map(([status, n]) => `${whole(n)}× ${status}`).join(', ')})`,
      ours: `p50 ${ms(p50)}, p99 ${ms(p99)}, lost ${lost} of ${took.length}`,
      reference: `without p99 ${ms(summary(quiet.took, 1).p99)}`,
      figure: lost > 0 ? Number.POSITIVE_INFINITY : p99,
      goal: { most: 500, unit: 'ms' },
    });
  }
  return rows;
}

/** Resolves to the number of answers by status. */
function run(load: HostileLoad): Promise<Record<string, number>> {
  const file = fileURLToPath(new URL('hostile-load.ts', import.meta.url));
  const child = spawn(process.execPath, [file, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', code =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`The load ended with ${code}`)),
    ),
  );
}

/** Guests open the page and sign in, one after another, until the load has ended. */
async function signInDuring(
  product: Product,
  rightful: Awaited<ReturnType<typeof makeGuests>>,
  load: Promise<unknown>,
) {
  let isOver = false;
  const over = load.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  const took: number[] = [];
  let lost = 0;
  for (let n = 0; !isOver; n += 1) {
    const guest = rightful[n % guests]!;
    const before = performance.now();
    const isIn = await signIn(product, guest, await open(product, guest));
    took.push(performance.now() - before);
    if (!isIn) lost += 1;
  }
  return { took, lost };
}
