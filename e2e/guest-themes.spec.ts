import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import type { GuestView, Renderer } from '@portico/contract/guests.ts';
import { portalLanguages } from '@portico/contract/portal-languages.ts';
import type { PortalStyles } from '@portico/contract/portal-styles.ts';
import * as sample from '../captive/src/sample-views.ts';
import { languages } from './src/guest.ts';
import { expect, expectAccessible, standards, test } from './src/test.ts';

/** Every guest page as it is rendered, in every language and every kind of theme, without a server. */

const built = fileURLToPath(new URL('../captive/dist/server/render.js', import.meta.url));

/** Colours that would be unreadable without correction. */
const pale = {
  primary_color: '#ffff00',
  secondary_color: '#fffff0',
  form_background_color: '#fffde0',
  welcome_message_text_color: '#ffffff',
  border_color: '#fffff0',
  alert_color: '#ffee00',
  warning_color: '#ffffee',
  info_color: '#fefefe',
  success_color: '#eeffee',
  background_color: '#ffffff',
} as const;
const dim = Object.fromEntries(Object.keys(pale).map((name, i) => [name, ['#101018', '#0b0b0b', '#14141c'][i % 3]]));
const themes: Readonly<Record<string, Partial<PortalStyles>>> = {
  light: {},
  dark: { color_scheme: 'dark', provider_layout: 'scroll' },
  pale: { ...pale, background_type: 'color' },
  dim: { ...dim, color_scheme: 'dark', background_type: 'color', color_type: 'gradient' },
};

const wrong = { problem: 'wrong_details', problemValues: {} } as const;
const pages: Readonly<Record<string, GuestView>> = {
  'with packages': {
    ...sample.everyMethod,
    agree: null,
    buy: '/w/abcdefgh1234/buy',
    restore: '/w/abcdefgh1234/restore',
  },
  'with packages and agreements': { ...sample.everyMethod, buy: '/w/abcdefgh1234/buy' },
  'all six methods': { ...sample.everyMethod, ad: sample.advertisement },
  'a mistyped form': { ...sample.everyMethod, ...wrong, chosen: 'room-number', wrong: ['room_number', 'birth_date'] },
  'the code': sample.codeStep,
  'a wrong code': { ...sample.codeStep, problem: 'wrong_code', wrong: ['code'] },
  'a refusal': { ...sample.problem, problem: 'blocked', form: '/w/abcdefgh1234' },
  'how things stand': { ...sample.problem, problem: 'over_quota', form: '/w/abcdefgh1234' },
  'one device too many': { ...sample.full, problem: 'device_stays' },
  'to the firewall': sample.handOver,
  'once more to the firewall': { ...sample.handOver, tried: true },
  'nearly online': { ...sample.online, online: false },
  online: { ...sample.online, ad: sample.advertisement },
  'with blocks': { ...sample.online, ad: sample.advertisement, blocks: sample.blocks },
  'a sign-in with blocks': { ...sample.signIn, blocks: sample.blocks },
  'another voucher': sample.onlineWithVoucher,
  'nearly over': sample.onlineEndingSoon,
  'an address to confirm': sample.onlineUnconfirmed,
  'the link in a mail': sample.confirmEmail,
  'an address confirmed': { ...sample.confirmEmail, done: true },
  'a log-out': { ...sample.problem, problem: 'logged_out', form: '/w/abcdefgh1234' },
  survey: { ...sample.survey, problem: 'wrong_credentials' },
  'own data': sample.data,
  agreement: { ...sample.agreement, html: '<h2>Terms</h2><p>Be <a href="https://example.com">kind</a>.</p>' },
  card: sample.pass,
  away: sample.away,
};

/**
 * The font of every page here, so that widths do not depend on the fonts of the machine. DejaVu Sans has the letters of all
 * languages and is wider than what phones use.
 */
const font = readFileSync(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
const loadFont = (page: Page) =>
  page.evaluate(async base64 => {
    const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
    document.fonts.add(await new FontFace('Wide', bytes).load());
  }, font.toString('base64'));

interface RunOnly {
  readonly type: 'tag' | 'rule';
  readonly values: readonly string[];
}
const everything: RunOnly = { type: 'tag', values: standards };
/** Rules whose result depends on colours and layout. The others read the markup, which is the same in every theme. */
const appearance: RunOnly = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable'],
};

/** The findings of axe in a page that replaces the one before. Axe stays loaded, which is far quicker than a new page. */
const findings = (page: Page, html: string, runOnly: RunOnly = everything): Promise<string[]> =>
  page.evaluate(
    async ({ text, runOnly }) => {
      const drawn = new DOMParser().parseFromString(text, 'text/html').documentElement;
      const { documentElement: shown } = document;
      shown.lang = drawn.lang;
      shown.dir = drawn.dir;
      // Without a server there is no page to go on to.
      for (const it of drawn.querySelectorAll('meta[http-equiv=refresh], noscript')) it.remove();
      for (const it of drawn.querySelectorAll('details')) {
        it.removeAttribute('name');
        it.open = true;
      }
      document.head.replaceWith(drawn.querySelector('head')!);
      document.body.replaceWith(drawn.querySelector('body')!);
      const style = document.createElement('style');
      style.textContent = `html * { font-family: 'Wide' !important; }`;
      document.head.append(style);
      for (const it of document.getAnimations()) it.finish();
      const preload = { assets: ['media'] };
      const { violations } = await axe.run({ runOnly, resultTypes: ['violations'], preload });
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(it => it.html).join(' ')}`);
      // A plain button has no edge; its height keeps texts apart.
      const buttons = [...document.querySelectorAll('.button:not(.plain)')].filter(it => it.checkVisibility());
      for (const [index, button] of buttons.slice(1).entries()) {
        const [above, below] = [buttons[index]!, button].map(it => it.getBoundingClientRect());
        const gap = below!.top - above!.bottom;
        if (gap > -1 && gap < 8) found.push(`${gap} pixels above ${button.outerHTML}`);
      }
      return shown.scrollWidth > shown.clientWidth ? [...found, `${shown.scrollWidth} pixels wide`] : found;
    },
    { text: html, runOnly },
  );
/** A global of the page, from axe-core. */
declare const axe: { readonly run: (options: object) => Promise<AxeAnswer> };
interface AxeAnswer {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

test('every guest page is accessible in every language and every kind of theme', async ({ page }) => {
  const { render } = (await import(pathToFileURL(path.resolve(built)).href)) as Renderer;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setContent(
    '<!doctype html><html lang="en"><title>Page</title><body><main><h1>Page</h1></main></body></html>',
  );
  await expectAccessible(page);
  await loadFont(page);
  for (const [theme, styles] of Object.entries(themes)) {
    for (const [name, view] of Object.entries(pages)) {
      for (const language of languages) {
        const html = render({ ...view, language, portal: sample.portalWith(styles) });
        const rules = theme === 'light' ? everything : appearance;
        expect.soft(await findings(page, html, rules), `${name}, ${theme}, ${language}`).toEqual([]);
      }
    }
  }
  const bad = render(sample.problem).replace('<h1>', '<h1 style="color:#999;background:#fff">');
  expect(await findings(page, bad), 'a heading of low contrast').toContainEqual(
    expect.stringMatching(/^color-contrast/),
  );
});

test('every guest page fits a narrow phone with text of twice the size, in every language', async ({ page }) => {
  const { render } = (await import(pathToFileURL(path.resolve(built)).href)) as Renderer;
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [name, view] of Object.entries({ ...pages, username: sample.signIn })) {
    for (const language of portalLanguages) {
      await page.setContent(
        render({ ...view, language }).replace(/<script[^>]*><\/script>|<meta http-equiv[^>]*>/gi, ''),
      );
      const width = await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
        for (const it of document.querySelectorAll('details')) it.open = true;
        return document.documentElement.scrollWidth;
      });
      expect.soft(width, `${name}, ${language}`).toBeLessThanOrEqual(360);
    }
  }
});

test('five faces of a survey are in one row on a narrow phone', async ({ page }) => {
  const { render } = (await import(pathToFileURL(path.resolve(built)).href)) as Renderer;
  await page.setViewportSize({ width: 320, height: 740 });
  const faces = ['very-bad', 'bad', 'neutral', 'good', 'very-good'] as const;
  const answers = faces.map(emoji => ({ id: emoji, label: '', emoji }));
  const questions = [{ id: 'q', label: 'Were you pleased?', kind: 'single', answers }] as const;
  await page.setContent(render({ ...sample.survey, questions }));
  const boxes = await page.locator('.face').evaluateAll(all => all.map(it => it.getBoundingClientRect().top));
  expect(new Set(boxes).size).toBe(1);
});

test('a logo is in the middle, also one with another for dark phones', async ({ page }) => {
  const { render } = (await import(pathToFileURL(path.resolve(built)).href)) as Renderer;
  await page.setViewportSize({ width: 360, height: 740 });
  const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>')}`;
  for (const dark_logo of [null, logo]) {
    const portal = sample.portalWith({ portal_logo: logo, logo_type: 'active', dark_mode: 'device', dark_logo });
    await page.setContent(render({ ...sample.signIn, portal }));
    const { x, width } = (await page.locator('.brand img').boundingBox())!;
    expect(x + width / 2, dark_logo ? 'with a dark logo' : 'alone').toBeCloseTo(180, 0);
  }
});

test('the heading of every page is below the picture of a banner, with a logo and without', async ({ page }) => {
  const { render } = (await import(pathToFileURL(path.resolve(built)).href)) as Renderer;
  await page.setViewportSize({ width: 390, height: 844 });
  const portal_logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>')}`;
  for (const logo of [{}, { portal_logo, logo_type: 'active' as const }])
    for (const [name, view] of Object.entries(pages)) {
      const portal = sample.portalWith({ layout: 'banner', ...logo });
      const html = render({ ...view, portal }).replace(/<script[^>]*><\/script>|<meta http-equiv[^>]*>/gi, '');
      await page.setContent(html);
      const gap = await page.evaluate(() => {
        const edge = (it: string) => document.querySelector(it)!.getBoundingClientRect();
        return edge('h1').top - edge('.backdrop').bottom;
      });
      expect.soft(gap, `${name}, ${Object.keys(logo).length ? 'with' : 'without'} a logo`).toBeGreaterThanOrEqual(0);
    }
});
