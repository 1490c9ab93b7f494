import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { openClient } from '#db/client.ts';
import { createS3 } from '#lib/s3.ts';
import { afterFile } from '#test/after-file.ts';
import { freshDatabase } from '#test/database.ts';
import { explain } from './explain.ts';

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail('It succeeded'),
    (error: unknown) => explain(error),
  );
const connect = (url: string, connectMs?: number): Promise<string> => failureOf(openClient(url, 'test', connectMs));
const noAnswer = 'DATABASE_URL must lead to a PostgreSQL server that answers: ';

test('names the setting when the database does not answer', async () => {
  expect(await connect('postgresql://portico@127.0.0.1:1/portico')).toBe(`${noAnswer}connect ECONNREFUSED 127.0.0.1:1`);
  // Its first part is longer than allowed. For another name, a server of names that is away would be asked for ten seconds.
  const nowhere = `${'x'.repeat(64)}.invalid`;
  expect(await connect(`postgresql://portico@${nowhere}/portico`)).toBe(`${noAnswer}getaddrinfo ENOTFOUND ${nowhere}`);
  expect(explain(new AggregateError([new Error('connect ECONNREFUSED ::1:1')].map(withCode), ''))).toBe(
    `${noAnswer}connect ECONNREFUSED ::1:1`,
  );
});

const withCode = (error: Error): Error => Object.assign(error, { code: 'ECONNREFUSED', syscall: 'connect' });

test('does not wait for ever for a server that takes the connection and says nothing', async () => {
  const silent = await new Promise<Server>(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
  });
  afterFile(() => silent.close());
  const { port } = silent.address() as { port: number };
  expect(await connect(`postgresql://portico@127.0.0.1:${port}/portico`, 50)).toMatch(new RegExp(`^${noAnswer}.*time`));
});

test('names the setting when the server knows no such database or login', async () => {
  const { url } = await freshDatabase({ empty: true });
  const wrong = 'DATABASE_URL must name a database and a login to it: ';
  expect(await connect(url.replace(/\/portico_test_\w+/, '/nowhere'))).toBe(
    `${wrong}database "nowhere" does not exist`,
  );
  expect(await connect(url.replace(/\w+@/, 'stranger@'))).toBe(`${wrong}role "stranger" does not exist`);
});

test('names a full disk', () => {
  expect(explain(new Error("ENOSPC: no space left on device, mkdir '/data'"))).toMatch(
    /^The disk is full: free space or add a disk \(.*'\/data'\)$/,
  );
  expect(explain(new Error('initdb: error: could not write file "/data/x": No space left on device'))).toMatch(
    /^The disk is full: /,
  );
  const ofDatabase = Object.assign(new Error('could not extend file "base/1"'), { code: '53100' });
  expect(explain(ofDatabase)).toMatch(/^The disk of the database is full: .*base\/1/);
});

test('does not blame the database for another service that does not answer', async () => {
  const bucket = { url: 'http://127.0.0.1:1/bucket', region: 'x', keyId: 'x', secret: 'x', name: 'backup store' };
  expect(await failureOf(createS3(bucket).folders())).toBe(
    'The backup store cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
  );
});

test('tells how to go on with a port that is in use', () => {
  expect(explain(Object.assign(new Error('listen'), { code: 'EADDRINUSE', port: 80 }))).toBe(
    'Port 80 is in use: stop what uses it or choose another (npm start -- --help)',
  );
  expect(explain(Object.assign(new Error('listen'), { code: 'EACCES', port: 80 }))).toMatch(
    /^Port 80 may not be opened/,
  );
});

test('leaves other errors as they are', () => {
  expect(explain(new Error('There is no tenant x'))).toBe('There is no tenant x');
});
