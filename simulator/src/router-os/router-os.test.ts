import { expect, it, onTestFinished } from 'vitest';
import { startRouter } from '../router.ts';
import { startToyServer } from '../toy-server.ts';

it('a router with management listens, and polls once a script is pasted', async () => {
  const server = await startToyServer({ secret: 'simulated-secret', password: 'hello', accept: () => [] });
  const router = await startRouter({
    nasIdentifier: 'sim00001',
    secret: 'simulated-secret',
    radius: server.radius,
    timeoutMs: 500,
    management: { username: 'admin', password: 'x y' },
  });
  onTestFinished(async () => {
    await router.close();
    server.close();
  });
  const phone = router.lease({ mac: '3C:06:30:00:00:01' });
  const result = await router.signIn(phone, 'guest', 'hello');
  expect(result.outcome).toBe('accepted');
  expect(router.os?.ports.rest).toBeGreaterThan(0);
  router.os?.paste(
    '/system scheduler add name="portico" on-event=":local got [/tool fetch url=(\\"http://127.0.0.1:9/\\\\\\?version=\\" . \\$version) http-header-field=\\"x-portico-token: abc\\"]"',
  );
  await expect(router.os?.poll()).rejects.toThrow();
  expect(() => router.os?.paste('nothing')).toThrow('scheduler');
});
