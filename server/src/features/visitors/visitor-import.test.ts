import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startApi, type TestApi } from '#test/harness.ts';
import { fileForm } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
let location: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  location = await api.location(admin, 'Otel');
  const profile = { location_id: location, name: 'İşletme', paid_sale: { is_active: true, option: 'try', value: 50 } };
  expect((await api.post('panel/location/user-profile', { token: admin, body: profile })).status).toBe(201);
});

interface UploadOptions {
  token?: string;
  language?: 'tr' | 'en';
  location_id?: string | null;
}
const send = (
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: UploadOptions = {},
): Promise<Answer> => {
  const at = options.location_id === undefined ? location : options.location_id;
  const body = fileForm(content, { name: 'list.csv', ...(at !== null && { location_id: at }) });
  const { token = admin, language = 'en' } = options;
  return api.post(`panel/client/import${path}`, { token, language, body });
};
const preview = (content: string | Uint8Array<ArrayBuffer>, options?: UploadOptions) =>
  send('/preview', content, options);
const run = (content: string | Uint8Array<ArrayBuffer>, options?: UploadOptions) => send('', content, options);
const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const total = async () => (await api.inTenant(tx => tx.one<{ n: number }>(sql`select count(*) as n from visitors`))).n;
const find = async (search: string) =>
  (await api.get(`panel/client?search=${encodeURIComponent(search)}`, { token: admin })).body.data;

describe('an import', () => {
  test('names the column of text that cannot be stored', async () => {
    const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
    const head = 'Name;Sign-in method;Room number;Identity or passport number;Identity number;Username';
    for (const [row, column] of [
      ['A;room-number;101;P\u0000;;', 'Identity or passport number'],
      ['A;citizen-id;;;1\u0000;', 'Identity number'],
      ['A;username;;;;u\u0000', 'Username'],
      ['A\u0000;username;;;;u', 'Name'],
    ]) {
      const answer = await preview(utf16(lines(head, row!)));
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data.problems.map((it: { column: string }) => it.column)).toEqual([column]);
    }
  });

  test('answers shortly about a file with endless column headers', async () => {
    // Signs do not count in a title, so that this was the column of the names. Each problem names its column.
    const endless = `Na${'!'.repeat(3_000_000)}me`;
    const file = lines(
      `${endless};${'x'.repeat(500_000)}`,
      ...Array.from({ length: 300 }, () => `${'n'.repeat(300)};y`),
    );
    for (const answer of [await preview(file), await run(file)])
      expect([answer.status < 500, answer.text.length < 100_000], answer.text.slice(0, 300)).toEqual([true, true]);
  });

  test('accepts its own example file in both languages', async () => {
    const before = await total();
    for (const language of ['tr', 'en'] as const) {
      const example = await api.get('panel/client/import/template', { token: admin, language });
      expect(example.headers.get('content-disposition')).toContain('visitors-template.csv');
      const seen = await preview(example.text, { language });
      expect(seen.status, seen.text).toBe(200);
      expect(seen.body.data).toMatchObject({ rows: 3, valid: 3, problems: [], problem_count: 0, ignored: [] });
    }
    expect(await total(), 'a preview makes no visitor').toBe(before);
  });

  test('creates all visitors, with generated passwords where the file has none', async () => {
    const sold = async () => (await api.get('panel/reports/total-sales-today', { token: admin })).body.data.total;
    const before = await sold();
    const made = await run(
      lines(
        'Ad;Giriş yöntemi;Kullanıcı adı;Parola;T.C. kimlik no;Oda;Doğum tarihi;E-posta;Profil;Ödenen gün;Geçerlilik bitişi;Not',
        'Ayşe "Gül" Işık;;ayse;gizli-parola;;;;AYSE@example.com;işletme;3;20.11.2030;x',
        '"Ali; Veli";Kullanıcı adı;ali;;;;;;;;2030-11-20 12:30;',
        'Can;citizen-id;;;20000000282;;05.07.1991;;;;;',
        'Oda;Oda numarası;;;;101;1984-02-29;;;;;',
      ),
    );
    expect(made.status, made.text).toBe(201);
    expect(made.body.data.created).toBe(4);
    expect(made.body.data.credentials).toMatchObject([{ name: 'Ali; Veli', username: 'ali' }]);
    expect(made.body.data.credentials[0].password).toMatch(/^[a-z2-9]{8}$/);
    const one = async (name: string) =>
      (await api.get(`panel/client/${(await find(name))[0].id}`, { token: admin })).body.data;
    expect(await one('Ayşe')).toMatchObject({
      name: 'Ayşe "Gül" Işık',
      password: 'gizli-parola',
      email: 'ayse@example.com',
      profile: { name: 'İşletme' },
      total_paid_day: 3,
      session_end_at: '2030-11-20T20:59:59Z',
    });
    expect(await one('ali')).toMatchObject({ session_end_at: '2030-11-20T09:30:00Z', total_paid_day: 0 });
    expect(await one('Can')).toMatchObject({ provider_id: '20000000282', birth_date: '1991-07-05' });
    expect(await one('Oda')).toMatchObject({ room_number: '101', birth_date: '1984-02-29' });
    expect((await sold()) - before).toBe(150);
  });

  test.each([
    ['en', 'Paid days', 'No days were sold: only a paid session profile sells days.', 'Line 3, Paid days: '],
    ['tr', 'Ödenen gün', 'Gün satılmadı: yalnızca ücretli oturum profilleri gün satar.', '3. satır, Ödenen gün: '],
  ] as const)('tells in %s which lines name days that are not sold', async (language, column, message, line) => {
    const made = await api.post('panel/location/user-profile', {
      token: admin,
      body: { location_id: location, name: `Ücretsiz ${language}` },
    });
    expect(made.status, made.text).toBe(201);
    const file = lines(
      `Name;Username;Session profile;${column}`,
      `Bir;${language}1;İşletme;2`,
      `İki;${language}2;Ücretsiz ${language};3`,
      `Üç;${language}3;;0`,
    );
    const seen = await preview(file, { language });
    expect(seen.body.data).toMatchObject({ valid: 3, problem_count: 0, warning_count: 1 });
    expect(seen.body.data.warnings).toEqual([{ line: 3, column, message }]);
    const done = await run(file, { language });
    expect(done.status, done.text).toBe(201);
    expect(done.body.warnings).toEqual([line + message]);
    const days = await api.inTenant(tx =>
      tx.many(sql`select username, total_paid_day from visitors where username like ${`${language}_`} order by 1`),
    );
    expect(days.map(it => it['total_paid_day'])).toEqual([2, 0, 0]);
  });

  test('reports every problem with its line and creates no visitor', async () => {
    const taken = { name: 'Alan', provider_type: 'username', username: 'taken', location_id: location };
    const made = await api.post('panel/client', { token: admin, body: { ...taken, password: 'parola 1' } });
    expect(made.status, made.text).toBe(201);
    const before = await total();
    const file = lines(
      'Name,Sign-in method,Username,Password,Identity number,Room number,Birth date,E-mail,Phone,Session profile,Valid from,Paid days',
      'Good,,good,secret1,,,,,,,,',
      ',,nameless,secret1,,,,,,,,',
      '"Two\nlines",,two,abc,,,,not-mail,not-phone,None,yesterday,many',
      'Can,citizen-id,,,12345678901,,31.02.1990,,,,,',
      'Room,room-number,,,,,,,,,,',
      'Again,,good,secret1,,,,,,,,',
      'Taken,,taken,secret1,,,,,,,,',
      'Odd,by carrier pigeon,,,,,,,,,,',
    );
    const seen = await preview(file);
    expect(seen.status, seen.text).toBe(200);
    const { problems, ...counts } = seen.body.data;
    expect(counts).toMatchObject({ rows: 8, valid: 1 });
    const named = problems.map((it: { line: number; column: string }) => `${it.line} ${it.column}`);
    expect(named).toEqual([
      '3 Name',
      ...['Valid from', 'Session profile', 'Password', 'E-mail', 'Phone', 'Paid days'].map(column => `4 ${column}`),
      '6 Identity number',
      '6 Birth date',
      '7 Room number',
      '7 Birth date',
      '8 Username',
      '9 Username',
      '10 Sign-in method',
    ]);
    expect(problems.find((it: { line: number }) => it.line === 8).message).toBe(
      'This value already appears in line 2.',
    );
    expect(problems.at(-1).message, 'as a file names them').toBe(
      'Choose one of: Identity number, Room number, Username.',
    );
    const refused = await run(file, { language: 'tr' });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.file).toHaveLength(named.length);
    expect(refused.body.errors.file[0]).toBe('3. satır, Name: Bu alan zorunludur.');
    expect(await total()).toBe(before);
  });

  test('knows only the session profiles of its own location', async () => {
    const elsewhere = await api.location(admin, 'Pansiyon');
    const body = { location_id: elsewhere, name: 'Komşunun' };
    expect((await api.post('panel/location/user-profile', { token: admin, body })).status).toBe(201);
    const file = lines('Name,Username,Password,Session profile', 'Ada,ada-p,secret1,Komşunun');
    const { problems } = (await preview(file)).body.data;
    expect(problems).toMatchObject([{ line: 2, column: 'Session profile' }]);
    expect((await preview(file, { location_id: elsewhere })).body.data.problems).toEqual([]);
  });

  test('reads UTF-8 with or without a byte order mark, UTF-16 and windows-1254', async () => {
    const text = lines('Ad,Kullanıcı adı', 'Şükrü Ağıöz,sukru');
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(text)]);
    const wide = new Uint8Array([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
    const turkish: Record<string, number> = { Ş: 0xde, ş: 0xfe, ü: 0xfc, ğ: 0xf0, ı: 0xfd, ö: 0xf6 };
    const ansi = new Uint8Array([...text].map(letter => turkish[letter] ?? letter.charCodeAt(0)));
    for (const content of [text, marked, wide, ansi]) {
      const seen = await preview(content);
      expect(seen.body.data.sample, seen.text).toMatchObject([{ name: 'Şükrü Ağıöz', provider_id: 'sukru' }]);
    }
  });

  test('reads files of spreadsheets: byte order marks, semicolons or tabs, and line breaks within cells', async () => {
    const rows = (mark: string) =>
      lines(
        ['Ad soyad', 'Kullanıcı adı', 'Parola'].join(mark),
        ['"Ayşe ""Gül""\r\n  Işık"', 'satir', 'gizli1'].join(mark),
        ['Ali', '', ''].join(mark),
      );
    for (const content of [
      `\ufeff${rows(';')}`,
      new Uint8Array(Buffer.from(`\ufeff${rows('\t')}`, 'utf16le')),
      new Uint8Array(Buffer.from(`\ufeff${rows(';')}`, 'utf16le').swap16()),
    ]) {
      const { data } = (await preview(content)).body;
      expect(data.sample[0]).toMatchObject({ line: 2, name: 'Ayşe "Gül" Işık' });
      expect(data.problems).toEqual([expect.objectContaining({ line: 4, column: 'Kullanıcı adı' })]);
    }
  });

  test('limits the number of columns', async () => {
    const { data } = (await preview(`Ad;${'x;'.repeat(1_000_000)}\r\nAli;\r\n`)).body;
    expect(data.rows).toBe(1);
    expect(data.ignored.length).toBeLessThan(1000);
  });

  test('reads an exported list, with its escaped formulas', async () => {
    await run(lines('Name,Username,Phone', '=cmd,formula,+90 530 123 45 67'));
    const list = await api.post('panel/client/export', { token: admin, body: { search: '=cmd' } });
    expect(list.text).toContain("'=cmd");
    await api.delete(`panel/client/${(await find('=cmd'))[0].id}`, { token: admin });
    const back = await run(list.text);
    expect(back.status, back.text).toBe(201);
    expect((await find('=cmd'))[0]).toMatchObject({ name: '=cmd', username: 'formula', phone: '+90 530 123 45 67' });
  });

  test('refuses other files, and files that are too large or too long', async () => {
    const before = await total();
    const at = async (content: string | Uint8Array<ArrayBuffer>) => {
      const answer = await run(content);
      return [answer.status, answer.body.errors?.file?.[0]];
    };
    expect(await at('')).toEqual([422, 'The file is empty: a header row and at least one line are needed.']);
    expect(await at('Name\n')).toMatchObject([422, expect.stringContaining('file is empty')]);
    expect(await at('Phone\n123')).toEqual([422, 'The column “Name” is missing.']);
    expect(await at('Name\nA\n"open')).toEqual([422, 'The quotation mark opened in line 3 is never closed.']);
    expect(await at(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]))).toMatchObject([422, expect.stringContaining('CSV')]);
    expect(await at(`Name\n${'A\n'.repeat(10_001)}`)).toEqual([422, 'A file may have at most 10000 lines.']);
    expect((await at('x'.repeat(5 * 1024 * 1024 + 1)))[0]).toBe(413);
    // A first line of the maximum file size that consists of quotes.
    expect(await at(`${'"a",'.repeat(1_250_000)}\nx`)).toEqual([422, 'The column “Name” is missing.']);
    expect((await run('Name\nA\ud800', {})).status).toBeLessThan(500);
    expect((await run('Name,Username\nA,a', { location_id: 'nowhere' })).status).toBe(422);
    expect(await total()).toBe(before);
  });

  test('accepts ten thousand lines', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `Guest ${index},bulk-${index},secret-${index}`);
    const made = await run(lines('Name,Username,Password', ...many));
    expect(made.status, made.text.slice(0, 500)).toBe(201);
    expect(made.body.data).toEqual({ created: 10_000, credentials: [] });
  }, 60_000);

  test('needs the permission to create visitors at its location', async () => {
    const file = lines('Name,Username,Password', 'Thief,thief,secret1');
    const before = await total();
    const looking = (await api.user('member', { location, permissions: ['view-clients'] })).token;
    expect((await preview(file, { token: looking })).status).toBe(403);
    expect((await run(file, { token: looking })).status).toBe(403);
    const other = await api.location(admin, 'Kafe');
    const neighbour = (await api.user('member', { location: other })).token;
    const refused = await run(file, { token: neighbour });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['location_id']]);
    expect(await total()).toBe(before);
  });
});
