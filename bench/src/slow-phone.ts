import { spawnSync } from 'node:child_process';
import sharp from 'sharp';
import { tenant } from './list-queries.ts';
import { type Product, root } from './product.ts';
import type { Row } from './table.ts';

const kilobyte = 1024;
const goals = { loadMs: 3000, pictureKilobytes: 60 };

interface Measured {
  readonly paintMs: number;
  readonly loadMs: number;
  readonly bytes: number;
}

/** The sign-in page on a phone with slow 3G (400 kbit/s, 400 ms) and a CPU slowed four times: plain, and with a photograph. */
export async function measureSlowPhone(product: Product): Promise<Row[]> {
  const token = await product.signIn(tenant);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant': tenant };
  const call = async <Data>(method: string, path: string, body?: FormData | object): Promise<Data> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${product.url}/v1/panel/${path}`, {
      method,
      headers: { ...headers, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { data: Data }).data;
  };
  const [device] = await call<{ nas_identifier: string; location: { id: string } }[]>('GET', 'device?per_page=1');
  if (!device) throw new Error('There is no device');
  const { id: portal } = await call<{ id: string }>('POST', 'portal', {
    name: 'Slow 3G',
    location_id: device.location.id,
  });
  await call('PUT', `location/${device.location.id}`, { portal_id: portal });
  const query = new URLSearchParams({ mac: '3C:22:FB:00:00:04', ip: '172.16.0.9', login: 'http://10.5.50.1/login' });
  const address = `${product.captiveUrl}/w/${device.nas_identifier}?${query}`;
  const open = (): Measured => {
    const args = ['e2e/src/guest-speed.ts', address];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr || stdout);
    return (JSON.parse(stdout) as [Measured])[0];
  };
  const plain = open();
  const form = new FormData();
  form.set('collection', 'background');
  form.set('file', new Blob([await photograph()]), 'lobby.jpg');
  const { url } = await call<{ url: string }>('POST', `portal/${portal}/image`, form);
  await call('PUT', `portal/${portal}`, { styles: { background_type: 'image', background_image: url } });
  const pictured = open();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
  const picture = (pictured.bytes - plain.bytes) / kilobyte;
  if (picture < 1) throw new Error('The photograph was not loaded');
  return [
    {
      work: 'sign-in page on slow 3G, first text',
      ours: seconds(pictured.paintMs),
      reference: `without a photograph ${seconds(plain.paintMs)}`,
      figure: pictured.paintMs,
      goal: { most: goals.loadMs, unit: 'ms' },
    },
    {
      work: '  with its photograph',
      ours: seconds(pictured.loadMs),
      reference: `without a photograph ${seconds(plain.loadMs)}`,
      figure: pictured.loadMs,
      goal: { most: goals.loadMs, unit: 'ms' },
    },
    {
      work: '  bytes of the photograph',
      ours: `${picture.toFixed(0)} KB`,
      reference: '',
      figure: picture,
      goal: { most: goals.pictureKilobytes, unit: 'KB' },
    },
  ];
}

/** A picture with more detail than most photographs have, so that its copies are as large as they may be. */
async function photograph(): Promise<Buffer<ArrayBuffer>> {
  const [width, height] = [2400, 1600];
  const noise = sharp({
    create: {
      width: width / 2,
      height: height / 2,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
      background: '#888',
    },
  });
  const grain = await noise.blur(0.8).png().toBuffer();
  const made = await sharp(grain).resize(width, height, { kernel: 'cubic' }).jpeg({ quality: 90 }).toBuffer();
  return Buffer.from(made);
}
