import { readFile } from 'node:fs/promises';
import { measureEffort } from './src/effort.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

const publicAddress = '198.51.100.77';

test('who was it: the guest behind a public address and port, and the signed PDF', async ({
  page,
  operator,
  product,
}) => {
  const words = await enterPanel(page, { token: operator.token, language: 'en' });
  const { visitor, device } = await makeVenue(operator);
  const router = await openRouter(product, device);
  try {
    const phone = router.lease({ mac: '02:00:00:00:00:07' });
    const neighbour = router.lease({ mac: '02:00:00:00:00:08' });
    await router.signIn(phone, visitor.username, visitor.password);
    const translated = (ip: string, port: number) =>
      router.log(
        'firewall',
        `forward: in:bridge-guest out:ether1, connection-state:established,snat, proto TCP (ACK), ${ip}:50000->203.0.113.9:443, NAT (${ip}:50000->${publicAddress}:${port})->203.0.113.9:443, len 52`,
      );

    await page.goto('/reports/who-was-it');
    await page.getByRole('heading', { level: 1, name: words.who.title }).waitFor();
    const ask = page.getByRole('button', { name: words.who.ask });
    await ask.click();
    await expect(page.getByText(words.who.required), 'no question without an address, a time and a reason').toHaveCount(
      3,
    );

    await page.getByLabel(words.who.address).fill(publicAddress);
    await page.getByLabel(words.who.port, { exact: true }).fill('61007');
    await page.getByLabel(words.who.reason).fill('2026/114');
    const found = page.getByRole('heading', { level: 2, name: 'Ayşe Gül Işık' });
    // The first lines of a new router are stored with a delay, so the question is repeated.
    await expect(async () => {
      translated(phone.ip, 61_007);
      translated(neighbour.ip, 61_008);
      const now = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(0, 19);
      await page.getByLabel(words.who.at).fill(now);
      const answered = page.waitForResponse(it => it.url().includes('/v1/panel/reports/who-was-it'));
      await ask.click();
      await (await answered).finished();
      await expect(found).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 90_000 });
    await expect(page.getByText(phone.mac, { exact: true })).toBeVisible();
    await expectAccessible(page);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: words.who.pdf }).click(),
    ]);
    const pdf = await readFile(await file.path(), 'latin1');
    expect(pdf.slice(0, 5)).toBe('%PDF-');
    expect(pdf).toContain('/SubFilter /adbe.pkcs7.detached');
    // The same answer from the row of the session: only the reason is typed.
    await page.goto('/reports/session-history');
    const { click, fill, sum } = measureEffort();
    await click(page.getByRole('row').filter({ hasText: phone.mac }).getByRole('button', { name: words.who.rowOf }));
    await click(page.getByRole('menuitem', { name: words.who.title }));
    await expect(page.getByLabel(words.who.address)).toHaveValue(phone.ip);
    await expect(page.getByLabel(words.who.mac)).toHaveValue(phone.mac);
    await fill(page.getByLabel(words.who.reason), '2026/114');
    await click(ask);
    await expect(found).toBeVisible();
    expect(sum()).toMatchObject({ clicks: 3, fields: 1 });

    const { data } = await operator.call<{ data: { verb: string; after: { reason: string } }[] }>(
      'GET',
      'panel/audit?subject_type=guest-identity',
    );
    expect(data.map(({ verb }) => verb)).toContain('export');
    expect(new Set(data.map(({ after }) => after.reason))).toEqual(new Set(['2026/114']));
  } finally {
    await router.close();
  }
});
