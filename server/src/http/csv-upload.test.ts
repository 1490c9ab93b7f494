import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ApartFailed, type ApartReason } from '#lib/apart.ts';
import { startApp } from '#test/harness.ts';
import { createApi } from '../services/api.ts';
import { unreadApart } from './csv-upload.ts';

test.each([
  ['time', 'Reading this file takes too much time or memory. Split it into smaller files.'],
  ['memory', 'Reading this file takes too much time or memory. Split it into smaller files.'],
  ['fault', 'This is not a CSV file. Save the table as CSV first.'],
] as const satisfies [ApartReason, string][])(
  'a file that a thread could not read (%s) is refused, and logged with the cause',
  async (reason, message) => {
    const logged: string[] = [];
    const log = pino({ level: 'warn' }, { write: line => logged.push(line) });
    const server = await createApi({ ...(await startApp()), log });
    server.get('/upload', () => {
      throw unreadApart(new ApartFailed(reason, new Error('what the thread said')), 'csv_binary');
    });
    const answer = await server.inject({ url: '/upload', headers: { 'accept-language': 'en' } });
    await server.close();
    expect([answer.statusCode, answer.json().errors]).toEqual([422, { file: [message] }]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('what the thread said');
  },
);
