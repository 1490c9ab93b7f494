import type { Page } from '@playwright/test';
import { enterPanel } from './src/panel.ts';
import { expect, test } from './src/test.ts';
import { makeVenue, openRouter, randomMac } from './src/venue.ts';

/** Pixels by which the table is wider than its frame. */
const excess = (page: Page) =>
  page.getByRole('table').evaluate(table => {
    const frame = table.parentElement!.getBoundingClientRect();
    return Math.max(0, Math.ceil(table.getBoundingClientRect().right - frame.right));
  });

// Beside the menu, and just above and below each width at which columns go.
const widths = [1600, 1440, 1439, 1366, 1281, 1280, 1181, 1180, 1024, 1001, 1000, 901, 900, 768, 701];

for (const language of ['en', 'tr'] as const)
  test(`wide tables fit their frame on every screen (${language})`, async ({ page, operator, product }) => {
    await enterPanel(page, { token: operator.token, language });
    const venue = await makeVenue(operator);
    await operator.call('PUT', `panel/client/${venue.visitor.id}`, {
      name: 'Ayşe Gül Karadeniz',
      provider_type: 'username',
      username: venue.visitor.username,
      phone: '+90 530 555 17 77',
      email: 'ayse.gul.karadeniz@example.com',
      session_end_at: '2099-12-31T20:00:00Z',
    });
    const router = await openRouter(product, venue.device);
    try {
      const phone = router.lease({ mac: randomMac() });
      await router.signIn(phone, venue.visitor.username, venue.visitor.password);
      router.use(phone, { uploadBytes: 123_456_789, downloadBytes: 1_234_567_890 });
      router.signOut(phone);
      await router.settled();
      for (const place of ['/reports/session-history', '/visitors']) {
        await page.goto(place);
        await expect(page.getByRole('row')).toHaveCount(2);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect.soft(await excess(page), `${place} at ${width} pixels`).toBe(0);
        }
      }
    } finally {
      await router.close();
    }
  });
