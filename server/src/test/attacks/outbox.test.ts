import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { queueMail } from '#mail/outbox.ts';
import { takeMails } from '#mail/testing.ts';
import { openGateway } from '#sms/gateway.ts';
import { startApi } from '../harness.ts';

/** The attack: another user of the machine reads sign-in codes and links in the outbox folder, or its list of files. */

test('the outbox folder is for its owner only, also when an earlier version made it', async () => {
  const { app, inTenant } = await startApi();
  const outbox = path.join(app.settings.DATA_DIR, 'outbox');
  mkdirSync(outbox, { mode: 0o755 });
  await inTenant(tx =>
    queueMail(tx, app, {
      ...{ to: 'ada@example.com', language: 'en', template: 'confirm_email' },
      data: { name: 'Ada', link: 'https://example.com/', hours: 72 },
    }),
  );
  expect(await takeMails(app)).toHaveLength(1);
  expect(statSync(outbox).mode & 0o777).toBe(0o700);
  mkdirSync(path.join(app.settings.DATA_DIR, 'new'));
  await openGateway({ ...app.settings, DATA_DIR: path.join(app.settings.DATA_DIR, 'new') })({
    ...{ id: '1', to: '+905321112233', text: '123456' },
  });
  expect(statSync(path.join(app.settings.DATA_DIR, 'new/outbox')).mode & 0o777).toBe(0o700);
});
