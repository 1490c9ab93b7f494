import type { Sql } from 'sql-template-tag';
import { beforeEach, expect } from 'vitest';
import { type Reported, routerAt } from '#features/sessions/testing/router.ts';
import type { SessionRecord } from '#radius/types.ts';
import { type Body, startApi } from '#test/harness.ts';
import { buildPages, type PageAnswer, startCaptive } from './captive.ts';

export const login = 'http://10.5.50.1/login';

/** The signed state in a sign-in page. */
export const stateOf = (html: string): string => /name="state" value="([^"]*)"/.exec(html)?.[1] ?? '';

/** The Cookie header of a browser that got this answer. */
export const cookiesOf = (answer: PageAnswer): string =>
  answer.headers
    .getSetCookie()
    .map(it => it.split(';')[0]!)
    .filter(it => !it.endsWith('='))
    .join('; ');

/** The path of the page to which the router sends a guest after this answer to its sign-in. */
export function onlineOf(answer: PageAnswer): string {
  const dst = new URL(new URL(answer.headers.get('location')!).searchParams.get('dst')!);
  return dst.pathname + dst.search;
}

/** A location with a portal, a router and guests. Each test uses another guest device, because throttles are shared. */
export async function startVenue(environment: Record<string, string> = {}) {
  const api = await startApi({ CAPTIVE_URL: 'http://guests.example', ...environment });
  const captive = await startCaptive(api, await buildPages());
  const admin = (await api.user('tenant-admin')).token;

  const create = async (at: string, body: unknown): Promise<Body> => {
    const answer = await api.post(at, { token: admin, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const update = async (at: string, body: unknown): Promise<void> => {
    const answer = await api.put(at, { token: admin, body });
    expect(answer.status, answer.text).toBe(200);
  };

  const location: string = (await create('panel/location', { name: 'Kafe <Çınar>' })).id;
  const portal = await create('panel/portal', { name: 'Lobby', location_id: location });
  const brands = (await api.get('panel/device/brands', { token: admin })).body.data;
  const made = await create('panel/device', {
    name: 'Router',
    brand_id: brands.find((brand: Body) => brand.slug === 'mikrotik').id,
    mac_address: '02:00:00:00:00:01',
    location_id: location,
  });
  const device = (await api.get(`panel/device/${made.id}`, { token: admin })).body.data;
  const nas: string = device.nas_identifier;
  const signInAt = `/w/${nas}/sign-in`;

  let devices = 0;
  let visitors = 0;
  let mac = '';
  const newMac = () => {
    mac = `AA:BB:CC:00:00:${(++devices).toString(16).padStart(2, '0').toUpperCase()}`;
  };

  const arrival = (more: Record<string, string> = {}, at = nas) =>
    `/w/${at}?${new URLSearchParams({ mac, ip: '10.5.50.9', login, orig: 'http://example.com/news', ...more })}`;

  /** Submits the form of a sign-in page. */
  const submitOn = (page: { html: string }, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const agree = /name="agree"[^>]*value="(\w+)"/.exec(page.html)?.[1] ?? '';
    const notice = page.html.includes('name="notice"') ? '1' : '';
    return captive.form(signInAt, { state: stateOf(page.html), agree, notice, method: 'username', ...fields }, headers);
  };

  return {
    api,
    captive,
    admin,
    location,
    portal,
    device,
    nas,
    signInAt,
    create,
    update,
    arrival,
    newMac,
    get mac() {
      return mac;
    },
    /** Opens the page after the sign-in with the browser that signed in. */
    openOnline: (answer: PageAnswer, more = '') => captive.get(onlineOf(answer) + more, { cookie: cookiesOf(answer) }),
    rows: <R extends Body = Body>(query: Sql): Promise<R[]> => api.inTenant(tx => tx.many(query)) as Promise<R[]>,
    run: (query: Sql) => api.inTenant(tx => tx.run(query)),
    /** Loads the page and submits its form. */
    submit: async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      submitOn(await captive.get(arrival()), fields, headers),
    submitOn,
    /** Sets the portal's methods. */
    offer: (...providers: object[]) =>
      update(`panel/portal/${portal.id}`, { providers: providers.map((it, order) => ({ order, ...it })) }),
    /** The operator's list of this device's failed sign-ins, newest first. */
    failures: async (): Promise<Body[]> => {
      const list = await api.get(`panel/failed-login?mac=${mac}`, { token: admin });
      expect(list.status, list.text).toBe(200);
      return list.body.data[0]?.attempts ?? [];
    },
    /** Creates a visitor with the password `parola 1`, and returns the user name. */
    visitor: async (more: object = {}): Promise<string> => {
      const username = `guest${++visitors}`;
      const body = { name: 'Guest', provider_type: 'username', username, password: 'parola 1', location_id: location };
      await create('panel/client', { ...body, ...more });
      return username;
    },
    /** The RADIUS decision about a guest's ticket. */
    routerAccepts: async (ticket: string, guestMac = mac): Promise<Body> =>
      (await routerAt(api.app, nas)).asks(ticket, { mac: guestMac }),
    /** Reports the beginning of the guest's session, or its end, as the router does. */
    routerStarts: async (
      userName: string,
      bytes: { uploadBytes: number; downloadBytes: number },
      { status = 'start', ...more }: Reported & { status?: SessionRecord['status'] } = {},
    ) => (await routerAt(api.app, nas)).reports(status, userName, { mac, ...bytes, ...more }),
  };
}
export type Venue = Awaited<ReturnType<typeof startVenue>>;

/** Gives each test another guest device. */
export const newGuestEachTest = (venue: () => Venue): void => {
  beforeEach(() => venue().newMac());
};
