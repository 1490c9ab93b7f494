import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

async function send(body: BodyInit, type?: string, language = 'en'): Promise<{ status: number; body: Body }> {
  const headers = {
    authorization: `Bearer ${admin}`,
    'accept-language': language,
    ...(type && { 'content-type': type }),
  };
  const answer = await fetch(`${api.url}/v1/panel/portal/image`, { method: 'POST', headers, body });
  return { status: answer.status, body: (await answer.json()) as Body };
}

const part = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';

describe('a form that cannot be read is the mistake of its sender', () => {
  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['an empty boundary', 'multipart/form-data; boundary=', 'x'],
    ['no parts', 'multipart/form-data; boundary=x', 'nothing of the kind'],
    ['no end', 'multipart/form-data; boundary=x', part('collection', 'logo')],
    ['a part cut off', 'multipart/form-data; boundary=x', part('collection', 'logo').slice(0, 30)],
    ['a file without an end', 'multipart/form-data; boundary=x', `${filePart}half a picture`],
    ['an unknown encoding', 'multipart/form-data; boundary=x; charset=x', part('collection', 'logo')],
  ])('%s', async (_name, type, body) => {
    expect(await send(body, type)).toEqual({
      status: 400,
      body: { message: 'The request could not be read.', code: 'bad_request' },
    });
  });

  test('a file without a field is refused by the name of the right one', async () => {
    const body = `${filePart.replace(' name="file";', '')}x\r\n--x--\r\n`;
    const answer = await send(body, 'multipart/form-data; boundary=x');
    expect([answer.status, answer.body.errors]).toEqual([422, { file: ['Send the file in the field “file”.'] }]);
  });

  test('a second file is refused by the name of the field, not as too large', async () => {
    const form = fileForm(await picture(), { collection: 'logo' });
    form.append('file', new Blob(['another']), 'b.png');
    const answer = await send(form);
    expect([answer.status, answer.body.errors]).toEqual([422, { file: ['Choose at most 1.'] }]);
  });

  test.each([
    ['en', 'Send at most 20 fields.'],
    ['tr', 'En fazla 20 alan gönderin.'],
  ])('a form with too many fields is told the limit, not that it is too large (%s)', async (language, message) => {
    const names = Array.from({ length: 25 }, (_, n) => [`name${n}`, 'x']);
    const form = fileForm(await picture(), { collection: 'logo', ...Object.fromEntries(names) });
    const answer = await send(form, undefined, language);
    expect([answer.status, answer.body.code, answer.body.errors]).toEqual([422, 'invalid', { body: [message] }]);
  });

  test('a text that is too long is refused, and not cut', async () => {
    const answer = await send(fileForm(await picture(), { collection: 'l'.repeat(4097) }));
    expect([answer.status, answer.body.errors]).toEqual([422, { collection: ['Enter at most 4096 characters.'] }]);
  });
});
