import { expect, test } from 'vitest';
import { startApi } from '../harness.ts';

// The attack: a long text with an emoji where the audit log cuts it. Half a character is no JSON for PostgreSQL, so the change failed.
test('a long text may have any character where it is cut', async () => {
  const api = await startApi();
  const { token } = await api.user('tenant-admin');
  const location_id = await api.location(token, 'Otel');
  const body = {
    location_id,
    name: 'Oda',
    valid_until: '2036-01-01',
    count: 1,
    note: `${'x'.repeat(499)}${'😀'.repeat(3)}`,
  };
  const answer = await api.post('panel/voucher-batch', { token, body });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data.note).toBe(body.note);
});
