import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
let location: string;
let brand: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const brands: Body[] = (await api.get('panel/device/brands', { token: admin })).body.data;
  brand = brands.find(it => it['slug'] === 'mikrotik')!['id'];
});

let made = 0;
const device = async (): Promise<string> => {
  const body = { brand_id: brand, name: 'Lobi', mac_address: `0200000000${++made + 10}`, location_id: location };
  return (await api.post('panel/device', { token: admin, body })).body.data.id;
};
const network = async (id: string, name: string, third: number): Promise<string> => {
  const body = { name, start_ip: `10.0.${third}.0`, subnet: 24 };
  return (await api.post(`panel/device/${id}/network`, { token: admin, body })).body.data.id;
};
interface Options {
  token?: string;
  language?: 'tr' | 'en';
}
const send = (
  id: string,
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: Options = {},
): Promise<Answer> => {
  const body = fileForm(content, { name: 'list.csv' });
  const { token = admin, language = 'en' } = options;
  return api.post(`panel/device/${id}/macs/import${path}`, { token, language, body });
};
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const rules = async (id: string): Promise<Body[]> =>
  (await api.get(`panel/device/${id}/macs?per_page=1000`, { token: admin })).body.data;
const save = (id: string, options: Options = {}) =>
  api.get(`panel/device/${id}/macs/export`, { token: options.token ?? admin, language: options.language ?? 'en' });

describe('a CSV file of MAC rules', () => {
  test('is imported, sent to the router, audited, and exported for another device', async () => {
    const id = await device();
    const [a, b] = [await network(id, 'Misafir', 1), await network(id, '=Ofis', 2)];
    const file = lines(
      'MAC;Tür;Açıklama;Ağlar;Not',
      'a1b2c3d4e501;İzinli;"Yazıcı; 2. kat";misafir | =Ofis;x',
      'A1-B2-C3-D4-E5-02;blocked;=1+1;;',
      'A1:B2:C3:D4:E5:01;Engelli;;MİSAFİR;',
    );
    const seen = await send(id, '/preview', file);
    expect(seen.status, seen.text).toBe(200);
    expect(seen.body.data).toMatchObject({ rows: 3, valid: 3, problems: [], problem_count: 0, ignored: ['Not'] });
    expect(seen.body.data.sample[0]).toEqual({
      line: 2,
      mac: 'A1:B2:C3:D4:E5:01',
      type: 'bypassed',
      comment: 'Yazıcı; 2. kat',
      networks: ['Misafir', '=Ofis'],
    });
    expect(await rules(id), 'a preview adds nothing').toEqual([]);

    const entries = async (): Promise<Body[]> =>
      (await api.get('panel/audit?subject_type=mac-rule&verb=create&per_page=1000', { token: admin })).body.data;
    const known = new Set((await entries()).map(it => it['id']));
    const done = await send(id, '', file);
    expect([done.status, done.body.data], done.text).toEqual([201, { created: 3 }]);
    const kept = (all: Body[]) => all.map(it => [it['mac'], it['type'], it['comment'], it['networks']]);
    expect(kept(await rules(id))).toEqual([
      ['A1:B2:C3:D4:E5:01', 'bypassed', 'Yazıcı; 2. kat', [a, b]],
      ['A1:B2:C3:D4:E5:02', 'blocked', '=1+1', []],
      ['A1:B2:C3:D4:E5:01', 'blocked', '', [a]],
    ]);
    const sent: Body[] = (await api.get(`panel/device/${id}/commands`, { token: admin })).body.data;
    expect(sent.map(it => it['action']).sort()).toEqual(['block', 'block']);
    const mine = (await entries()).filter(it => !known.has(it['id']));
    expect(mine.map(it => it['subject'].name).sort()).toEqual([
      'A1:B2:C3:D4:E5:01',
      'A1:B2:C3:D4:E5:01',
      'A1:B2:C3:D4:E5:02',
    ]);

    for (const [language, header, allowed, blocked] of [
      ['tr', 'MAC adresi,Tür,Açıklama,Ağlar', 'İzinli', 'Engelli'],
      ['en', 'MAC address,Type,Comment,Networks', 'Allowed', 'Blocked'],
    ] as const) {
      const saved = await save(id, { language });
      expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(saved.headers.get('content-disposition')).toContain('mac-list.csv');
      expect(saved.text.replace('\uFEFF', '').split('\r\n')).toEqual([
        header,
        `A1:B2:C3:D4:E5:01,${allowed},Yazıcı; 2. kat,Misafir | =Ofis`,
        `A1:B2:C3:D4:E5:02,${blocked},'=1+1,`,
        `A1:B2:C3:D4:E5:01,${blocked},,Misafir`,
        '',
      ]);
      const twin = await device();
      const [c, d] = [await network(twin, 'Misafir', 1), await network(twin, '=Ofis', 2)];
      const again = await send(twin, '', saved.text, { language });
      expect(again.status, again.text).toBe(201);
      expect(kept(await rules(twin))[0]).toEqual(['A1:B2:C3:D4:E5:01', 'bypassed', 'Yazıcı; 2. kat', [c, d]]);
    }
  });

  test('reports each problem with its line, and adds no rule', async () => {
    const id = await device();
    await network(await device(), 'Başkasının', 1);
    await api.post(`panel/device/${id}/macs`, { token: admin, body: { mac: 'A1B2C3D4E509', type: 'blocked' } });
    const file = lines(
      'mac,type,comment,networks',
      'A1B2C3D4E501,blocked,,',
      'zz,blocked,,',
      'A1B2C3D4E502,friend,,',
      `A1B2C3D4E503,blocked,${'x'.repeat(256)},`,
      'A1B2C3D4E504,blocked,,Başkasının',
      'a1-b2-c3-d4-e5-01,BLOCKED,,',
      'A1B2C3D4E509,blocked,,',
      'A1B2C3D4E509,bypassed,,',
      '02,',
    );
    const seen = await send(id, '/preview', file);
    expect(seen.body.data).toMatchObject({ rows: 9, valid: 2, problem_count: 8 });
    expect(seen.body.data.problems.map((it: Body) => [it['line'], it['column']])).toEqual([
      [3, 'mac'],
      [4, 'type'],
      [5, 'comment'],
      [6, 'networks'],
      [7, 'mac'],
      [8, 'mac'],
      [10, 'mac'],
      [10, 'type'],
    ]);
    expect(seen.body.data.problems[1].message).toBe('Choose one of: Allowed, Blocked.');
    expect(seen.body.data.problems[4].message).toBe('This value already appears in line 2.');
    const done = await send(id, '', file, { language: 'tr' });
    expect(done.status).toBe(422);
    expect(done.body.errors.file).toHaveLength(8);
    expect(done.body.errors.file[0]).toMatch(/^3\. satır, mac: /);
    expect(await rules(id)).toHaveLength(1);
  });

  test('is refused if it is not a list of MAC rules', async () => {
    const id = await device();
    const problem = async (content: string | Uint8Array<ArrayBuffer>) => {
      for (const path of ['/preview', '']) {
        const answer = await send(id, path, content);
        expect(answer.status, answer.text).toBe(422);
        expect(answer.body.errors).toHaveProperty('file');
      }
      return (await send(id, '', content)).body.errors.file[0];
    };
    expect(await problem('')).toBeTruthy();
    expect(await problem('mac,type\n')).toBe('The file is empty: a header row and at least one line are needed.');
    expect(await problem('type\nblocked\n')).toBe('The column “MAC address” is missing.');
    expect(await problem('mac\nA1B2C3D4E501\n')).toBe('The column “Type” is missing.');
    expect(await problem(new Uint8Array([80, 75, 3, 4, 0, 0]))).toContain('not a CSV file');
    expect(await problem('mac,type\n"A1B2C3D4E501,blocked')).toContain('line 2');
    expect(await problem(`mac,type\n${'A1B2C3D4E501,blocked\n'.repeat(5001)}`)).toContain('at most 5000 lines');
    const large = await send(id, '', `mac,type\n${'x'.repeat(1024 * 1024)}`);
    expect([413, 422]).toContain(large.status);
    const nul = new Uint8Array(Buffer.from('\ufeffmac,type,comment\r\nA1B2C3D4E501,blocked,a\u0000b\r\n', 'utf16le'));
    expect((await send(id, '/preview', nul)).body.data.problems).toMatchObject([{ line: 2, column: 'comment' }]);
    expect(await rules(id)).toEqual([]);
  });

  // Two files of the largest size: most of a minute on a busy machine.
  test('may have 5,000 rules; of two imports at once only one succeeds', async () => {
    const id = await device();
    const mac = (n: number) => `A2B2C3${n.toString(16).padStart(6, '0')}`;
    const file = lines('mac,type', ...Array.from({ length: 5000 }, (_, n) => `${mac(n)},bypassed`));
    const answers = await Promise.all([send(id, '', file), send(id, '', file)]);
    expect(answers.map(it => it.status).sort()).toEqual([201, 422]);
    const saved = await save(id);
    expect(saved.text.trimEnd().split('\r\n')).toHaveLength(5001);
    expect(new Set(saved.text.trimEnd().split('\r\n')).size).toBe(5001);
  });

  test('needs a device that the caller may see and change', async () => {
    const id = await device();
    const file = lines('mac,type', 'A1B2C3D4E501,blocked');
    const looks = (await api.user('member', { location, permissions: ['view-devices'] })).token;
    const blind = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    const place = await api.location(admin, 'Başka');
    const other = (await api.user('member', { location: place, permissions: ['view-devices', 'update-devices'] }))
      .token;
    const limited = (
      await api.user('member', {
        location,
        permissions: ['view-devices', 'update-devices'],
        deviceIds: [await device()],
      })
    ).token;
    const all = async (token: string) => [
      (await save(id, { token })).status,
      (await send(id, '/preview', file, { token })).status,
      (await send(id, '', file, { token })).status,
    ];
    expect(await all(looks)).toEqual([200, 403, 403]);
    expect(await all(blind)).toEqual([403, 403, 403]);
    expect(await all(other)).toEqual([404, 404, 404]);
    expect(await all(limited)).toEqual([404, 404, 404]);
    expect(await all('nobody')).toEqual([401, 401, 401]);
    expect(await rules(id)).toEqual([]);
  });
});
