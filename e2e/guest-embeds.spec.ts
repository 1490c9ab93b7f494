import type { Page } from '@playwright/test';
import { joinNetwork } from './src/guest.ts';
import { enterPanel } from './src/panel.ts';
import { expect, expectAccessible, test } from './src/test.ts';
import { makeVenue, openRouter } from './src/venue.ts';

/** Embedded sites and the texts of a portal may be hostile; guests must be safe from both. */

/** Attacks the embedding page in every known way and records the results. Opening a window on a tap is allowed. */
const hostile = (captive: string) => `<!doctype html><html lang="en"><title>Hostile</title><body><pre></pre><script>
  const tries = {
    cookies: () => top.document.cookie,
    page: () => top.document.body.innerText,
    frame: () => parent.parent.document.title,
    around: () => parent.document.title,
    away: () => { top.location = 'https://evil.example/stolen'; return 'led away'; },
    said: () => { alert('Your password?'); return null; },
    kept: () => { localStorage.setItem('a', 'b'); return null; },
  };
  const got = [];
  const tell = () => { document.querySelector('pre').textContent = got.join(' ') + ' done'; };
  for (const [name, attempt] of Object.entries(tries)) {
    try { const it = attempt(); if (it) got.push(name + '=' + it); } catch { got.push(name); }
  }
  const form = Object.assign(document.createElement('form'), { action: 'https://evil.example/stolen', target: '_top', method: 'post' });
  document.body.append(form);
  try { form.submit(); } catch {}
  fetch(${JSON.stringify(captive)} + '/uploads/x', { credentials: 'include' }).then(it => it.text()).then(() => got.push('read=it'), () => got.push('read')).then(tell);
</script></body></html>`;

const complaint =
  /^(Unsafe attempt to initiate navigation|Blocked (form submission|opening|a frame)|Ignored call to 'alert|Access to fetch|Failed to|Refused to|Framing|Form submission|Connecting to|Loading|The request|Not allowed)/;

for (const script of [true, false]) {
  test(`a hostile embed reaches neither cookies nor the page nor the window (${script ? 'with' : 'without'} script)`, async ({
    browser,
    operator,
    product,
  }) => {
    const venue = await makeVenue(operator);
    await operator.call('PUT', `panel/portal/${venue.portalId}`, {
      providers: [{ slug: 'username', order: 1, options: { remember: 'cookie', remember_days: 7 } }],
    });
    const { data: ad } = await operator.call<{ data: { embed_code: string } }>(
      'POST',
      `panel/portal/${venue.portalId}/ads`,
      {
        name: 'Film',
        type: 'embed',
        embed_code:
          '<script>top.location="https://evil.example/stolen"</script><p onclick="alert(1)">Film</p>' +
          '<iframe src="https://evil.example/frame" onload="alert(1)" srcdoc="<script>alert(1)</script>" sandbox="allow-same-origin allow-top-navigation" allow="camera"></iframe>',
      },
    );
    expect(ad.embed_code).not.toMatch(/script|onload|onclick|srcdoc|sandbox|allow=/);
    const router = await openRouter(product, venue.device);
    const guest = await joinNetwork(browser, router, { language: 'en', script, complaint });
    const { page } = guest;
    const asked: string[] = [];
    let framed = 0;
    await page.context().route('https://evil.example/**', async route => {
      const { pathname } = new URL(route.request().url());
      asked.push(pathname);
      if (pathname === '/frame') framed += 1;
      await route.fulfill({ contentType: 'text/html', body: hostile(product.captive) });
    });
    try {
      await guest.open();
      await guest.signIn(venue.visitor);
      await guest.expectOnline();
      const cookies = await page.context().cookies(product.captive);
      expect(cookies.length, 'there is something to steal').toBeGreaterThan(0);
      expect(cookies.every(it => it.httpOnly)).toBe(true);
      const url = page.url();
      await page.locator('iframe[title=Film]').scrollIntoViewIfNeeded();
      const inside = page.frameLocator('iframe[title=Film]').frameLocator('iframe');
      await expect.poll(() => framed).toBe(1);
      if (script) {
        const told = inside.locator('pre');
        await expect(told).toContainText('done');
        expect(await told.innerText(), 'what it got hold of').not.toContain('=');
      }
      expect(page.url()).toBe(url);
      expect(asked).toEqual(['/frame']);
      await expect(page.getByText(guest.words.timeLeft)).toBeVisible();
    } finally {
      await guest.close();
      await router.close();
    }
  });
}

test('hostile content in the texts of a portal is removed', async ({ browser, operator, product }) => {
  const { portalId, device } = await makeVenue(operator);
  const text =
    '<h2>Terms</h2><script>top.location="https://evil.example/"</script><iframe src="https://evil.example/"></iframe>' +
    '<img src="https://evil.example/x.png" onerror="alert(1)"><p style="position:fixed;inset:0" onclick="alert(1)">Be kind</p>' +
    '<form action="https://evil.example/"><input name="password"></form><a href="javascript:alert(1)">here</a>' +
    '<a href="https://example.com" target="_top">there</a><svg onload="alert(1)"></svg><style>body{display:none}</style>';
  await operator.call('PUT', `panel/portal/${portalId}`, {
    agreements: { general: { en: text } },
    messages: { welcome_message_title: { en: '<img src=x onerror=alert(1)>Hello' } },
  });
  const router = await openRouter(product, device);
  const guest = await joinNetwork(browser, router, { language: 'en' });
  const { page } = guest;
  const strangers: string[] = [];
  page.on('request', it => new URL(it.url()).hostname === 'evil.example' && strangers.push(it.url()));
  page.on('dialog', dialog => {
    strangers.push(dialog.message());
    void dialog.dismiss();
  });
  try {
    await guest.open();
    await expect(page.getByRole('heading', { name: '<img src=x onerror=alert(1)>Hello' })).toBeVisible();
    await page.getByRole('button', { name: 'Terms of use' }).click();
    await expect(page.getByText('Be kind')).toBeVisible();
    await page.getByText('Be kind').click();
    const main = page.locator('main');
    await expect(main.locator('script, iframe, img, form, input, svg[onload], style, [onclick], [target]')).toHaveCount(
      0,
    );
    await expect(main.getByText('Be kind')).not.toHaveCSS('position', 'fixed');
    await expect(main.getByRole('link', { name: 'there' })).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    await expect(main.getByRole('link', { name: 'here', exact: true })).toHaveCount(0);
    expect(strangers).toEqual([]);
  } finally {
    await guest.close();
    await router.close();
  }
});

/** A short video, as the browser records it, and a picture of it. */
async function recordVideo(page: Page): Promise<{ video: Buffer; poster: Buffer }> {
  const files = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const pen = canvas.getContext('2d')!;
    let hue = 0;
    const drawing = setInterval(() => {
      pen.fillStyle = `hsl(${(hue += 9)} 60% 50%)`;
      pen.fillRect(0, 0, 320, 180);
    }, 40);
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    // Until there are pictures in it: a busy machine may draw none in a second.
    await new Promise<void>(resolve => {
      recorder.ondataavailable = ({ data }) => {
        parts.push(data);
        if (parts.reduce((sum, it) => sum + it.size, 0) > 10_000) resolve();
      };
      recorder.start(100);
    });
    await new Promise(resolve => {
      recorder.onstop = resolve;
      recorder.stop();
    });
    clearInterval(drawing);
    const bytes = [...new Uint8Array(await new Blob(parts).arrayBuffer())];
    return { bytes, picture: canvas.toDataURL('image/png').split(',')[1]! };
  });
  return { video: Buffer.from(files.bytes), poster: Buffer.from(files.picture, 'base64') };
}

test('a video plays while the sign-in form waits, with and without script', async ({
  page,
  browser,
  operator,
  product,
}) => {
  const venue = await makeVenue(operator);
  await enterPanel(page, { token: operator.token, language: 'tr' });
  await page.goto(`/portals/${venue.portalId}/edit/advertisements`);
  await page.getByRole('button', { name: 'Reklam ekle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reklam ekle' });
  await dialog.getByRole('textbox', { name: 'Ad', exact: true }).fill('Film');
  await dialog.getByText('Video', { exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Kaydet' }).click();
  await expect(dialog.getByText('Bu alan zorunludur.')).toBeVisible();
  const { video, poster } = await recordVideo(page);
  const files = dialog.locator('input[type=file]');
  await files.first().setInputFiles({ name: 'film.webm', mimeType: 'video/webm', buffer: video });
  await expect(dialog.getByRole('button', { name: 'Videoyu değiştir' })).toBeVisible();
  await files.last().setInputFiles({ name: 'film.png', mimeType: 'image/png', buffer: poster });
  await expect(dialog.getByAltText('1. görsel')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Giriş formu açılmadan önceki saniye' }).fill('4');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Kaydet' }).click();
  await expect(page.getByRole('article', { name: 'Film' }).getByText('Video')).toBeVisible();

  const router = await openRouter(product, venue.device);
  try {
    for (const [script, reducedMotion] of [
      [true, 'no-preference'],
      [true, 'reduce'],
      [false, 'reduce'],
    ] as const) {
      const guest = await joinNetwork(browser, router, { language: 'en', script, phone: { reducedMotion } });
      await guest.open();
      const waits = guest.page.getByText('The form opens in 4 seconds.');
      await expect(guest.page.locator('video')).toBeVisible();
      // Hidden, it takes no part in the tab order and is not read out.
      await expect(guest.page.getByLabel('Username')).toBeVisible();
      await expect(waits).toBeHidden();
      if (script) {
        const video = guest.page.locator('video');
        const played = expect.poll(() => video.evaluate((it: HTMLVideoElement) => it.played.length > 0));
        await played.toBe(reducedMotion === 'no-preference');
        await expect(video).toHaveJSProperty('muted', true);
      }
      if (!script) {
        await guest.signIn(venue.visitor);
        await guest.expectOnline();
      }
      await guest.close();
    }
  } finally {
    await router.close();
  }
});
