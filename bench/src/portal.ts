import { gunzipSync } from 'node:zlib';
import { openHttp } from './http-client.ts';
import { compare, ms, whole } from './measure.ts';
import { cpuOf } from './processes.ts';
import type { Product } from './product.ts';
import type { Row } from './table.ts';

const clients = 8;
const kilobyte = 1024;

/** The page that a guest's browser gets when a router sends it to the portal. */
export async function measurePortal(product: Product): Promise<Row[]> {
  const owner = await product.connect();
  const { rows } = await owner.query(`select nas_identifier from devices order by nas_identifier limit 1`);
  await owner.end();
  const pathFrom = (ip: string) =>
    `/w/${rows[0].nas_identifier}?mac=3C:22:FB:00:00:03&ip=${ip}&login=${encodeURIComponent('http://10.5.50.1/login')}&orig=${encodeURIComponent('http://example.com/')}`;
  const path = pathFrom('172.16.0.9');
  let addresses = 0;
  /** The languages of a portal are remembered for some seconds per address of a guest. */
  const fromAnother = () => pathFrom(`172.17.${(addresses++ >> 8) & 255}.${addresses & 255}`);
  const phones = Array.from({ length: clients }, () =>
    openHttp(product.captiveUrl, { 'accept-encoding': 'gzip', 'accept-language': 'tr' }),
  );
  try {
    const view = (client: number) => phones[client]!.get(path);
    const first = await view(0);
    if (first.status !== 200) throw new Error(`${path}: ${first.status}`);
    const { bytes, blocking } = await firstView(product, first);
    const cpu = () => cpuOf(product.pid, true);
    const [one] = await compare([{ run: view }]);
    const [known, unknown] = await compare([view, client => phones[client]!.get(fromAnother())]);
    const [many] = await compare([{ run: view, cpu }], { clients, ms: 1000 });
    const perCore = 1000 / many!.cpuMs;
    return [
      {
        work: 'first view on the wire, without pictures',
        ours: `${(bytes / kilobyte).toFixed(1)} KB`,
        reference: '',
        figure: bytes / kilobyte,
        goal: { most: 14, unit: 'KB' },
      },
      {
        work: '  scripts that block it',
        ours: String(blocking),
        reference: '',
        figure: blocking,
        goal: { most: 0, unit: '' },
      },
      {
        work: '  one guest',
        ours: `p50 ${ms(one!.p50)}, p95 ${ms(one!.p95)}`,
        reference: '',
        figure: one!.p50,
        goal: { most: 2, unit: 'ms' },
      },
      {
        work: '  one guest, whose languages are looked up',
        ours: `p50 ${ms(unknown!.p50)}, p95 ${ms(unknown!.p95)}`,
        reference: `known p50 ${ms(known!.p50)}, p95 ${ms(known!.p95)}`,
        ratio: unknown!.p50 / known!.p50,
      },
      {
        work: `  ${clients} guests at once`,
        ours: `${whole(many!.perSecond)}/s, ${ms(many!.cpuMs)} of CPU each`,
        reference: '',
        figure: perCore,
        goal: { least: 2000, unit: '/s and core' },
      },
    ];
  } finally {
    for (const phone of phones) phone.close();
  }
}

/** Bytes of the page and of the styles and scripts it names, compressed, heads included; and how many scripts block it. */
async function firstView(product: Product, page: { head: string; body: Buffer; bytes: number }) {
  const html = /content-encoding: *gzip/i.test(page.head) ? gunzipSync(page.body).toString() : page.body.toString();
  const named = [...html.matchAll(/<(?:script[^>]*\ssrc|link[^>]*rel="stylesheet"[^>]*\shref)="([^"]+)"/g)];
  let { bytes } = page;
  for (const [, source] of named) {
    const client = openHttp(product.captiveUrl, { 'accept-encoding': 'gzip' });
    bytes += (await client.get(source!.replaceAll('&amp;', '&'))).bytes;
    client.close();
  }
  const blocking = [...html.matchAll(/<script\b[^>]*>/g)].filter(
    ([tag]) => tag.includes('src=') && !/\s(defer|async|type="module")/.test(tag),
  ).length;
  return { bytes, blocking };
}
