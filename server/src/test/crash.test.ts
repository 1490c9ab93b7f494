import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient, type RadiusClient } from '@portico/radius/client.ts';
import { address, integer, text } from '@portico/radius/encode.ts';
import { afterAll, expect, test } from 'vitest';
import { freePorts, type ServerProcess, startProcess } from './process.ts';

const kills = 10;
const guests = 24;
const writers = 4;

/** A guest device at its router. Like a real router, it repeats every packet until it is acknowledged. */
interface Guest {
  readonly mac: string;
  sessionId: string;
  /** The last state that the server acknowledged. */
  online: boolean;
  bytes: number;
  /** Sent and not acknowledged when the server was killed: it may be stored or not. */
  inDoubt: { online: boolean; bytes: number } | undefined;
}

/** The work of one round, which ends when the server is killed. */
interface Load {
  stopped: boolean;
  /** Locations and packets that the server acknowledged. */
  locations: number;
  packets: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'portico-crash-'));
chmodSync(folder, 0o755);
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test(`after each of ${kills} kill -9 of all processes under load, all acknowledged data is present`, async () => {
  const ports = await freePorts();
  const account = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password for tests' };
  const environment = { ...ports, ...account, RATE_LIMIT: '1000000' };
  const start = async () => {
    server = await startProcess(folder, environment);
    return server;
  };
  let running = await start();

  const call = caller(`http://127.0.0.1:${ports.PORT}/v1/`);
  const { data: signedIn } = await call('POST', 'user/login', {
    email: account.ADMIN_EMAIL,
    password: account.ADMIN_PASSWORD,
  });
  const asAdmin = { authorization: `Bearer ${signedIn.token}` };
  const device = await makeDevice(call, asAdmin);

  const written = new Set<string>();
  const crowd = Array.from({ length: guests }, (_, i): Guest => {
    const mac = `02:00:00:00:00:${i.toString(16).padStart(2, '0').toUpperCase()}`;
    return { mac, sessionId: '', online: false, bytes: 0, inDoubt: undefined };
  });

  for (let round = 0; round < kills; round++) {
    const load: Load = { stopped: false, locations: 0, packets: 0 };
    const client = openClient({
      host: '127.0.0.1',
      port: Number(ports.RADIUS_ACCT_PORT),
      secret: Buffer.from(device.secret),
      timeoutMs: 300,
      attempts: 1,
    });
    const busy = [
      ...Array.from({ length: writers }, (_, i) => writeLocations(call, asAdmin, `crash ${round} ${i}`, written, load)),
      ...crowd.map((guest, i) => roam(client, device.nas_identifier, guest, i, load)),
    ];
    // Killed after some work and not after some time: a busy machine does less in the same time. Another amount in each round.
    const enough = { locations: randomInt(1, 6), packets: randomInt(guests + 1, 4 * guests) };
    const isEnough = () => load.locations >= enough.locations && load.packets >= enough.packets;
    await expect.poll(isEnough, { interval: 5 }).toBe(true);
    await running.killEverything();
    load.stopped = true;
    await Promise.all(busy);
    client.close();

    running = await start();
    const { data: locations } = await call('GET', 'panel/location?per_page=9999', undefined, asAdmin);
    const kept = new Set(locations.map((location: { name: string }) => location.name));
    expect(
      [...written].filter(name => !kept.has(name)),
      `writes lost by kill ${round + 1}`,
    ).toEqual([]);
    const { data: onlines } = await call('GET', 'panel/onlines?per_page=1000', undefined, asAdmin);
    expect(
      crowd.flatMap(guest => lost(guest, onlines)),
      `accounting lost by kill ${round + 1}`,
    ).toEqual([]);
  }
  expect(crowd.some(guest => guest.bytes > 0)).toBe(true);
});

// biome-ignore lint/suspicious/noExplicitAny: other tests check the API's answers
type Call = (method: string, at: string, body?: unknown, headers?: Record<string, string>) => Promise<any>;

function caller(base: string): Call {
  return async (method, at, body, headers = {}) => {
    const answer = await fetch(base + at, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

async function makeDevice(
  call: Call,
  headers: Record<string, string>,
): Promise<{ nas_identifier: string; secret: string }> {
  const { data: location } = await call('POST', 'panel/location', { name: 'Venue' }, headers);
  const { data: brands } = await call('GET', 'panel/device/brands', undefined, headers);
  const brand = brands.find(({ slug }: { slug: string }) => slug === 'mikrotik');
  const form = { name: 'Router', location_id: location.id, brand_id: brand.id, mac_address: '02:AA:00:00:00:01' };
  const { data: made } = await call('POST', 'panel/device', form, headers);
  return (await call('GET', `panel/device/${made.id}`, undefined, headers)).data;
}

/** Creates locations until the server is killed; returns those that were answered with success. */
async function writeLocations(
  call: Call,
  headers: Record<string, string>,
  prefix: string,
  written: Set<string>,
  load: Load,
): Promise<void> {
  for (let n = 0; !load.stopped; n++) {
    const name = `${prefix} ${n}`;
    try {
      await call('POST', 'panel/location', { name }, headers);
      written.add(name);
      load.locations += 1;
    } catch {
      await sleep(20);
    }
  }
}

/** Starts, updates and stops sessions until the server is killed. */
async function roam(client: RadiusClient, nas: string, guest: Guest, seed: number, load: Load): Promise<void> {
  while (!load.stopped) {
    if (!guest.inDoubt) guest.inDoubt = nextStep(guest, seed);
    const { inDoubt } = guest;
    const status = statusOf(guest, inDoubt);
    const reply = await client.send({
      code: code['Accounting-Request'],
      attributes: [
        integer(attribute['Acct-Status-Type'], acctStatusType[status]),
        text(attribute['NAS-Identifier'], nas),
        text(attribute['Acct-Session-Id'], guest.sessionId),
        text(attribute['User-Name'], `guest-${seed}`),
        text(attribute['Calling-Station-Id'], guest.mac),
        address(attribute['Framed-IP-Address'], `10.5.50.${seed + 1}`),
        integer(attribute['Acct-Input-Octets'], inDoubt.bytes),
        integer(attribute['Acct-Output-Octets'], inDoubt.bytes * 2),
      ],
    });
    if (!reply) continue;
    guest.online = inDoubt.online;
    guest.bytes = inDoubt.bytes;
    guest.inDoubt = undefined;
    load.packets += 1;
  }
}

function nextStep(guest: Guest, seed: number): { online: boolean; bytes: number } {
  if (guest.online) return { online: Math.random() > 0.1, bytes: guest.bytes + 1000 };
  guest.sessionId = `${seed}-${Date.now()}`;
  return { online: true, bytes: 0 };
}

function statusOf(guest: Guest, next: { online: boolean }): keyof typeof acctStatusType {
  if (!guest.online) return 'Start';
  return next.online ? 'Interim-Update' : 'Stop';
}

/** The contradiction between the online list and the acknowledgements, if there is one. */
function lost(guest: Guest, onlines: { client_mac: string; upload: number }[]): string[] {
  const rows = onlines.filter(row => row.client_mac === guest.mac);
  const possible = [{ online: guest.online, bytes: guest.bytes }, ...(guest.inDoubt ? [guest.inDoubt] : [])];
  const fits = possible.some(({ online, bytes }) =>
    online ? rows.length === 1 && Number(rows[0]?.upload) === bytes : rows.length === 0,
  );
  return fits ? [] : [`${guest.mac}: expected ${JSON.stringify(possible)}, listed ${JSON.stringify(rows)}`];
}
