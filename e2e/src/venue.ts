import { randomBytes, randomInt } from 'node:crypto';
import { createClock } from '@portico/simulator/clock.ts';
import { type Router, type RouterOptions, startRouter } from '@portico/simulator/router.ts';
import type { Operator } from './operator.ts';
import type { Product } from './product.ts';

/** A location with everything that a sign-in needs. */
export interface Venue {
  readonly name: string;
  readonly locationId: string;
  readonly device: { readonly id: string; readonly nas_identifier: string; readonly secret: string };
  readonly profileId: string;
  readonly portalId: string;
  readonly visitor: { readonly id: string; readonly username: string; readonly password: string };
}

type Made<Thing = unknown> = { data: { id: string } & Thing };

/** Creates a venue through the API and makes it the operator's active location. */
export async function makeVenue(operator: Operator, name = `Çınaraltı ${randomWord(6)}`): Promise<Venue> {
  const make = async <Thing>(path: string, body: object) => (await operator.call<Made<Thing>>('POST', path, body)).data;
  const { id: locationId } = await make('panel/location', { name });
  await operator.call('POST', `panel/user/team/change/${locationId}`, {});
  const profile = await make('panel/location/user-profile', {
    location_id: locationId,
    name: 'Standart',
    shared_user: 1,
    session_duration: { is_active: true, option: 'hour', value: 2 },
    is_default: true,
  });
  const device = await make<{ nas_identifier: string; secret: string }>('panel/device', {
    location_id: locationId,
    brand_id: await brandOf(operator, 'mikrotik'),
    name: 'Lobi',
    mac_address: randomMac(),
  });
  await trustLogs(operator, device.id);
  const portal = await make('panel/portal', { name });
  const account = { username: `ayşe.${randomWord(6)}`, password: 'çok gizli 1' };
  const visitor = await make('panel/client', {
    ...account,
    location_id: locationId,
    name: 'Ayşe Gül Işık',
    provider_type: 'username',
  });
  return {
    name,
    locationId,
    device,
    profileId: profile.id,
    portalId: portal.id,
    visitor: { ...account, id: visitor.id },
  };
}

interface AddedDevice {
  readonly id: string;
  readonly nas_identifier: string;
  readonly secret: string;
  readonly serial_number: string;
  readonly portal_url: string;
}

/** Adds a visitor to a venue as the operator. */
export async function addVisitor(
  operator: Operator,
  { locationId }: Pick<Venue, 'locationId'>,
): Promise<Venue['visitor']> {
  const account = { username: `mehmet.${randomWord(6)}`, password: 'çok gizli 2' };
  const body = { ...account, location_id: locationId, name: 'Mehmet Ali', provider_type: 'username' };
  const { data } = await operator.call<Made>('POST', 'panel/client', body);
  return { ...account, id: data.id };
}

/** Adds a device of any brand to a venue. */
export async function addDevice(
  operator: Operator,
  { locationId, brand }: { locationId: string; brand: string },
): Promise<AddedDevice> {
  const mac_address = brand === 'watchguard' ? `D0FE${randomHex(4).toUpperCase()}` : randomMac();
  const body = { location_id: locationId, brand_id: await brandOf(operator, brand), name: brand, mac_address };
  const { data } = await operator.call<{ data: AddedDevice }>('POST', 'panel/device', body);
  await trustLogs(operator, data.id);
  return data;
}

/** Journeys send log lines from this machine without a router that proves its address. */
const trustLogs = (operator: Operator, device: string) =>
  operator.call('POST', `panel/device/${device}/log-sources`, { address: '127.0.0.1' });

/** The files that the setup script has a MikroTik fetch into its html-directory, by name. */
export async function hotspotFiles(operator: Operator, deviceId: string): Promise<Map<string, string>> {
  const script = await operator.call<string>('POST', `panel/device/mikrotik/script/${deviceId}`, {
    gateway_interface: 'ether1',
    gateway_ip: '192.168.88.2',
    hotspot_address: '10.5.50.1',
    hotspot_subnet: '24',
    guestInterfaces: ['ether2'],
  });
  const fetched = [...script.matchAll(/\/tool fetch url="([^"]+)" dst-path="portico\/(\w+)\.html"/g)];
  const files = fetched.map(async ([, url = '', name = '']) => {
    const answer = await fetch(url.replaceAll('\\?', '?'));
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return [name, await answer.text()] as const;
  });
  return new Map(await Promise.all(files));
}

/** Creates a QR menu for the active location; returns the URL of its desks' codes. */
export async function makeMenu(operator: Operator): Promise<string> {
  const make = async <Thing>(kind: string, body: object) =>
    (await operator.call<Made<Thing>>('POST', `panel/qrmenu/${kind}`, body)).data;
  const category = await make('category', { title: 'İçecekler', title_en: 'Drinks' });
  const category_ids = [category.id];
  await make('product', { title: 'Çay', title_en: 'Tea', price: 30, calorie: 2, category_ids });
  await make('product', {
    title: 'Türk kahvesi',
    title_en: 'Turkish coffee',
    allergens: ['süt'],
    price: 95,
    category_ids,
  });
  return (await make<{ menu_url: string }>('desk', { title: 'Teras', prefix: 'T', number_start: 1, number_end: 12 }))
    .menu_url;
}

export async function brandOf(operator: Operator, slug: string): Promise<string> {
  const { data } = await operator.call<{ data: { id: string; slug: string }[] }>('GET', 'panel/device/brands');
  const brand = data.find(each => each.slug === slug);
  if (!brand) throw new Error(`There is no brand ${slug}`);
  return brand.id;
}

/** The year in some years, on the clocks of a new location. */
export const yearIn = (years: number): number =>
  Number(new Date().toLocaleDateString('en', { timeZone: 'Europe/Istanbul', year: 'numeric' })) + years;

let routers = 0;

/** Starts the venue's router at its own address, so that the product can send it Disconnect-Requests. */
export function openRouter(
  product: Product,
  device: { readonly nas_identifier: string; readonly secret: string },
  more: Partial<RouterOptions> = {},
): Promise<Router> {
  routers += 1;
  return startRouter({
    nasIdentifier: device.nas_identifier,
    secret: device.secret,
    radius: { host: product.host, authPort: product.radiusAuthPort, acctPort: product.radiusAcctPort },
    captiveUrl: product.captive,
    syslog: { host: product.host, port: product.syslogPort },
    // Each worker process has its own counter.
    address: `127.13.${Number(process.env.TEST_WORKER_INDEX ?? 0) % 250}.${routers}`,
    coaPort: product.coaPort,
    ...more,
  });
}

/** A router whose clock jumps when it is told to. */
export async function openTimeMachine(product: Product, device: Venue['device']) {
  let ahead = 0;
  const clock = { ...createClock(), now: () => Date.now() + ahead };
  const router = await openRouter(product, device, { clock });
  return Object.assign(router, { jump: (seconds: number) => (ahead += seconds * 1000) });
}

/** Without digits and vowels, so that no number or word that a journey looks for is in it by chance. */
const randomWord = (length: number): string =>
  Array.from({ length }, () => 'bcdfghjklmnpqrstvwxy'[randomInt(20)]).join('');

const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A locally administered MAC address. */
export const randomMac = (): string => ['02', ...Array.from({ length: 5 }, () => randomHex(1).toUpperCase())].join(':');
