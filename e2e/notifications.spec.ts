import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue } from './src/venue.ts';

test('notices that the reader has not seen yet are not marked as read', async ({ page, operator }) => {
  await enterPanel(page, { token: operator.token, language: 'en' });
  await makeVenue(operator);
  // The bell reads the newest notices, and the page its own list.
  const latest = Promise.withResolvers<void>();
  const notice = {
    id: '00000000-0000-7000-8000-000000000001',
    ...{ kind: 'license_over', title: 'The licence of Otel has ended', body: '', data: {}, location_id: null },
    ...{ location_ids: [], device_id: null, devices: 1, read_at: null, created_at: new Date().toISOString() },
  };
  const meta = { current_page: 1, last_page: 1, per_page: 12, from: 1, to: 1, total: 1, unread: 1 };
  await page.route(/\/v1\/panel\/notification\?/, async route => {
    if (route.request().url().includes('per_page=12')) await latest.promise;
    await route.fulfill({ json: { data: [notice], meta } });
  });
  const asked: string[] = [];
  await page.route(/\/v1\/panel\/notification\/read-all/, route => {
    asked.push(new URL(route.request().url()).search);
    return route.fulfill({ status: 204 });
  });
  await page.goto('/notifications');
  const all = page.getByRole('button', { name: 'Mark all as read' });
  await expect(page.getByRole('link', { name: notice.title }).or(page.getByText(notice.title)).first()).toBeVisible();
  await expect(all).toBeDisabled();
  latest.resolve();
  await all.click();
  await expect.poll(() => asked).toEqual([`?until=${notice.id}`]);
});
