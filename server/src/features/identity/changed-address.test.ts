import { acctStatusType, attribute, code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { address, integer, text } from '@portico/radius/encode.ts';
import { afterAll, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { startRadiusVenue } from '#test/radius-venue.ts';

/** Addresses that move from one guest device to another within sessions, as a DHCP server hands them out again. */

const { api, token, radius, addDevice } = await startRadiusVenue();
async function addRouter() {
  const device = await addDevice();
  const client = openClient({
    ...{ host: '127.0.0.1', port: radius.acctPort, secret: Buffer.from(device.secret), timeoutMs: 5000 },
  });
  afterAll(() => client.close());
  return { nas: device.nas_identifier, client };
}
const [here, elsewhere] = [await addRouter(), await addRouter()];
const now = Math.floor(Date.now() / 1000);

interface Report {
  /** At most 15: the last digit of the guest's MAC address. */
  readonly guest: number;
  readonly ip: string;
  /** Minutes ago. */
  readonly ago: number;
  /** Minutes since the session began. */
  readonly lasted: number;
  readonly bytes?: number;
  readonly router?: typeof here;
}

async function report(status: keyof typeof acctStatusType, it: Report): Promise<void> {
  const { guest, ip, ago, lasted, bytes = 0, router = here } = it;
  const reply = await router.client.send({
    code: code['Accounting-Request'],
    attributes: [
      text(attribute['NAS-Identifier'], router.nas),
      text(attribute['User-Name'], `guest${guest}`),
      text(attribute['Calling-Station-Id'], `A0-00-00-00-00-0${guest.toString(16)}`),
      text(attribute['Acct-Session-Id'], `s${guest}`),
      integer(attribute['Acct-Status-Type'], acctStatusType[status]),
      integer(attribute['Acct-Session-Time'], lasted * 60),
      integer(attribute['Acct-Output-Octets'], bytes),
      integer(attribute['Acct-Delay-Time'], Math.floor(Date.now() / 1000) - (now - ago * 60)),
      address(attribute['Framed-IP-Address'], ip),
    ],
  });
  expect(reply?.code).toBe(code['Accounting-Response']);
}

/** The guests who may have had an address some minutes ago, and whether that is certain. */
async function had(ip: string, ago: number): Promise<[number, 'certain' | 'near' | 'possible'][]> {
  const at = new Date((now - ago * 60) * 1000).toISOString();
  const { status, body } = await api.post('panel/reports/who-was-it', {
    token,
    body: { at, address: ip, reason: 'Dosya 7' },
  });
  expect(status).toBe(200);
  return body.data.matches.map((it: Body) => [
    Number.parseInt(it.session.client_mac.slice(-1), 16),
    it.certain ? 'certain' : it.near ? 'near' : 'possible',
  ]);
}

test('a guest whose address changes is not named for the time before', async () => {
  await report('Start', { guest: 1, ip: '10.9.0.5', ago: 120, lasted: 0 });
  await report('Interim-Update', { guest: 1, ip: '10.9.0.5', ago: 90, lasted: 30 });
  await report('Interim-Update', { guest: 1, ip: '10.9.0.6', ago: 85, lasted: 35 });
  await report('Interim-Update', { guest: 1, ip: '10.9.0.6', ago: 40, lasted: 80 });
  expect(await had('10.9.0.5', 100)).toEqual([[1, 'certain']]);
  expect(await had('10.9.0.6', 60)).toEqual([[1, 'certain']]);
  expect(await had('10.9.0.6', 1)).toEqual([[1, 'certain']]);
  // Between the two reports either address is possible, and neither is certain.
  expect(await had('10.9.0.5', 88)).toEqual([[1, 'near']]);
  expect(await had('10.9.0.6', 88)).toEqual([[1, 'near']]);
  expect(await had('10.9.0.6', 110)).toEqual([]);
  expect(await had('10.9.0.5', 20)).toEqual([]);
});

test('an address that another guest gets afterwards names each of them for their own time', async () => {
  await report('Start', { guest: 10, ip: '10.9.0.10', ago: 120, lasted: 0 });
  await report('Interim-Update', { guest: 10, ip: '10.9.0.10', ago: 90, lasted: 30 });
  await report('Interim-Update', { guest: 10, ip: '10.9.0.11', ago: 85, lasted: 35 });
  await report('Start', { guest: 2, ip: '10.9.0.10', ago: 80, lasted: 0 });
  await report('Interim-Update', { guest: 2, ip: '10.9.0.10', ago: 30, lasted: 50 });
  expect(await had('10.9.0.10', 100)).toEqual([[10, 'certain']]);
  expect(await had('10.9.0.10', 50)).toEqual([[2, 'certain']]);
});

test('a late report tells the address before, and an address that returns is not certain in between', async () => {
  await report('Start', { guest: 3, ip: '10.9.0.20', ago: 100, lasted: 0 });
  await report('Interim-Update', { guest: 3, ip: '10.9.0.21', ago: 70, lasted: 30 });
  await report('Interim-Update', { guest: 3, ip: '10.9.0.21', ago: 60, lasted: 40 });
  await report('Interim-Update', { guest: 3, ip: '10.9.0.20', ago: 50, lasted: 50 });
  await report('Interim-Update', { guest: 3, ip: '10.9.0.20', ago: 75, lasted: 25 });
  expect(await had('10.9.0.20', 90)).toEqual([[3, 'certain']]);
  expect(await had('10.9.0.21', 65)).toEqual([[3, 'certain']]);
  expect(await had('10.9.0.20', 65)).toEqual([[3, 'near']]);
  expect(await had('10.9.0.20', 30)).toEqual([[3, 'certain']]);
});

test('an address is not certain before a report of another one that came after the end of the session', async () => {
  const guest = 12;
  await report('Start', { guest, ip: '10.9.0.70', ago: 100, lasted: 0 });
  await report('Start', { guest, ip: '10.9.1.70', ago: 98, lasted: 0, router: elsewhere });
  // The router does not say that this report waited, and the next one opens the session again.
  await report('Interim-Update', { guest, ip: '10.9.0.70', ago: 70, lasted: 29 });
  await report('Interim-Update', { guest, ip: '10.9.0.71', ago: 80, lasted: 30, bytes: 1000 });
  expect(await had('10.9.0.71', 75)).toEqual([[guest, 'near']]);
});

test('the addresses of a session that has ended are kept', async () => {
  await report('Start', { guest: 4, ip: '10.9.0.30', ago: 60, lasted: 0 });
  await report('Interim-Update', { guest: 4, ip: '10.9.0.30', ago: 50, lasted: 10 });
  await report('Interim-Update', { guest: 4, ip: '10.9.0.31', ago: 45, lasted: 15 });
  await report('Interim-Update', { guest: 4, ip: '10.9.0.31', ago: 35, lasted: 25 });
  await report('Stop', { guest: 4, ip: '10.9.0.32', ago: 20, lasted: 40 });
  expect(await had('10.9.0.30', 55)).toEqual([[4, 'certain']]);
  expect(await had('10.9.0.31', 40)).toEqual([[4, 'certain']]);
  expect(await had('10.9.0.31', 30)).toEqual([[4, 'near']]);
  expect(await had('10.9.0.32', 30)).toEqual([[4, 'near']]);
  expect(await had('10.9.0.32', 50)).toEqual([]);
  expect(await had('10.9.0.30', 10)).toEqual([]);
});

/** Whether the only guest with the address is certain, at each of these times in minutes ago. */
async function certainAt(ip: string, ...ago: number[]): Promise<boolean[]> {
  const found = [];
  for (const minutes of ago) found.push((await had(ip, minutes)).some(([, how]) => how === 'certain'));
  return found;
}

test('a late report of another address leaves nothing certain around it', async () => {
  await report('Start', { guest: 5, ip: '10.9.0.40', ago: 100, lasted: 0 });
  await report('Interim-Update', { guest: 5, ip: '10.9.0.40', ago: 50, lasted: 50 });
  await report('Interim-Update', { guest: 5, ip: '10.9.0.41', ago: 76, lasted: 24 });
  await report('Interim-Update', { guest: 5, ip: '10.9.0.41', ago: 74, lasted: 26 });
  expect(await certainAt('10.9.0.40', 90, 65, 40)).toEqual([false, false, true]);
  expect(await certainAt('10.9.0.41', 78, 75, 72)).toEqual([false, true, false]);
  expect(await had('10.9.0.40', 65)).toEqual([[5, 'near']]);
  expect(await had('10.9.0.41', 65)).toEqual([[5, 'near']]);
  // A report of the time between proves more, and the same report again does not change it.
  for (let n = 0; n < 2; n++) {
    await report('Interim-Update', { guest: 5, ip: '10.9.0.40', ago: 60, lasted: 40 });
    await report('Interim-Update', { guest: 5, ip: '10.9.0.41', ago: 74, lasted: 26 });
    expect(await certainAt('10.9.0.40', 90, 70, 55, 1)).toEqual([false, false, true, true]);
  }
});

test('a late report before the first change divides the time of the address before it', async () => {
  await report('Start', { guest: 6, ip: '10.9.0.50', ago: 100, lasted: 0 });
  await report('Interim-Update', { guest: 6, ip: '10.9.0.50', ago: 60, lasted: 40 });
  await report('Interim-Update', { guest: 6, ip: '10.9.0.51', ago: 50, lasted: 50 });
  expect(await certainAt('10.9.0.50', 95, 70)).toEqual([true, true]);
  await report('Interim-Update', { guest: 6, ip: '10.9.0.52', ago: 82, lasted: 18 });
  await report('Interim-Update', { guest: 6, ip: '10.9.0.52', ago: 78, lasted: 22 });
  expect(await certainAt('10.9.0.50', 95, 80, 70)).toEqual([false, false, false]);
  expect(await certainAt('10.9.0.52', 90, 80, 70)).toEqual([false, true, false]);
  expect(await certainAt('10.9.0.51', 55, 49, 1)).toEqual([false, true, true]);
});

test('an address that returns is certain for each of its times, and not between them', async () => {
  await report('Start', { guest: 7, ip: '10.9.0.60', ago: 100, lasted: 0 });
  await report('Interim-Update', { guest: 7, ip: '10.9.0.61', ago: 70, lasted: 30 });
  await report('Interim-Update', { guest: 7, ip: '10.9.0.61', ago: 60, lasted: 40 });
  await report('Interim-Update', { guest: 7, ip: '10.9.0.60', ago: 50, lasted: 50 });
  await report('Interim-Update', { guest: 7, ip: '10.9.0.60', ago: 50, lasted: 50 });
  expect(await certainAt('10.9.0.60', 65, 55, 49, 30)).toEqual([false, false, true, true]);
  expect(await certainAt('10.9.0.61', 75, 65, 55)).toEqual([false, true, false]);
  expect(await had('10.9.0.60', 55)).toEqual([[7, 'near']]);
});

test('three addresses in turn, twice, are certain between two reports that name the same one', async () => {
  const turns = ['70', '71', '72', '70', '71', '72'];
  for (const [n, last] of turns.entries()) {
    const ago = 120 - n * 20;
    const status = n === 0 ? 'Start' : 'Interim-Update';
    await report(status, { guest: 8, ip: `10.9.0.${last}`, ago, lasted: n * 20 });
    await report('Interim-Update', { guest: 8, ip: `10.9.0.${last}`, ago: ago - 10, lasted: n * 20 + 10 });
  }
  expect(await certainAt('10.9.0.70', 115, 95, 75, 55, 35, 15)).toEqual([true, false, false, true, false, false]);
  expect(await certainAt('10.9.0.71', 115, 95, 75, 55, 35, 15)).toEqual([false, true, false, false, true, false]);
  expect(await certainAt('10.9.0.72', 115, 95, 75, 55, 35, 15)).toEqual([false, false, true, false, false, true]);
});

test('a late report of a closed session leaves nothing certain around it', async () => {
  await report('Start', { guest: 9, ip: '10.9.0.80', ago: 100, lasted: 0 });
  await report('Interim-Update', { guest: 9, ip: '10.9.0.80', ago: 50, lasted: 50 });
  await report('Stop', { guest: 9, ip: '10.9.0.80', ago: 40, lasted: 60 });
  expect(await certainAt('10.9.0.80', 90, 45)).toEqual([true, true]);
  await report('Interim-Update', { guest: 9, ip: '10.9.0.81', ago: 75, lasted: 25 });
  expect(await certainAt('10.9.0.80', 90, 60, 45)).toEqual([false, false, false]);
  // The router sends the Stop again, with another address.
  await report('Stop', { guest: 9, ip: '10.9.0.82', ago: 45, lasted: 55 });
  expect(await certainAt('10.9.0.82', 60, 48, 42)).toEqual([false, false, false]);
  expect(await had('10.9.0.82', 42)).toEqual([[9, 'near']]);
});

test('a late Start with another address leaves nothing certain until the first report of the present one', async () => {
  await report('Interim-Update', { guest: 0, ip: '10.9.0.90', ago: 150, lasted: 50 });
  await report('Interim-Update', { guest: 0, ip: '10.9.0.90', ago: 140, lasted: 60 });
  expect(await certainAt('10.9.0.90', 170)).toEqual([true]);
  await report('Start', { guest: 0, ip: '10.9.0.91', ago: 200.5, lasted: 0 });
  expect(await certainAt('10.9.0.90', 190, 170, 135)).toEqual([false, false, true]);
  await report('Interim-Update', { guest: 0, ip: '10.9.0.91', ago: 180, lasted: 20 });
  expect(await certainAt('10.9.0.91', 190, 170)).toEqual([true, false]);
});
