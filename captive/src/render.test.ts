import { brotliCompressSync, gzipSync } from 'node:zlib';
import { contrast, parseHex } from '@portico/contract/colour.ts';
import { guestProblems } from '@portico/contract/guest-problems.ts';
import { directionOf, portalLanguages } from '@portico/contract/portal-languages.ts';
import { messageKeys } from '@portico/contract/portal-messages.ts';
import { describe, expect, test } from 'vitest';
import { render, renderParts, renderPreview } from './render.tsx';
import {
  advertisement,
  agreement,
  blocks,
  buying,
  codeStep,
  confirmEmail,
  connecting,
  data,
  everyMethod,
  full,
  online,
  onlineEndingSoon,
  onlineUnconfirmed,
  onlineWithVoucher,
  pass,
  portalWith,
  problem,
  signIn,
  survey,
  video,
} from './sample-views.ts';
import { themeCss } from './theme.ts';

/** gzip (RFC 1952), plus a few hundred bytes of headers. */
const budget = 14 * 1024 - 600;
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'</style>{{}}$(mac)`;

describe('a page', () => {
  test('has a form that works without script', () => {
    const html = render(signIn);
    expect(html).toMatch(/^<!doctype html><html lang="en" dir="ltr">/);
    expect(html).toMatch(/<form [^>]*action="\/w\/abcdefgh1234\/sign-in" method="post">/);
    expect(html).toContain(`<input type="hidden" name="state" value="${signIn.state}"/>`);
    expect(html).toMatch(/<label for="username-username">Username ?<\/label>/);
    expect(html).toMatch(
      /<input id="username-password" type="password" autoComplete="current-password"[^>]* name="password"\/>/,
    );
    expect(html).toMatch(/<input type="checkbox" required="" name="agree" value="[0-9a-f]{32}"/);
    expect(html).not.toMatch(/ style="|<script>|javascript:| on[a-z]+="/);
    expect(html.match(/<style nonce="bm9uY2U=">/g)).toHaveLength(1);
  });

  test('stays within the size budget of a first view in every language', () => {
    for (const language of portalLanguages) {
      for (const view of [
        { ...everyMethod, ad: advertisement },
        { ...everyMethod, ad: advertisement, blocks },
        { ...everyMethod, ad: video },
        { ...online, ad: advertisement, blocks },
        signIn,
        codeStep,
        problem,
        { ...online, ad: advertisement },
        survey,
        full,
        data,
        pass,
        { ...onlineUnconfirmed, ad: advertisement },
        { ...onlineWithVoucher, ad: advertisement },
        { ...onlineEndingSoon, ad: advertisement },
        confirmEmail,
        ...connecting,
        ...buying,
      ]) {
        const html = render({ ...view, language });
        expect(gzipSync(html).length, `${view.page} ${language}`).toBeLessThan(budget);
        expect(brotliCompressSync(html).length).toBeLessThan(budget);
      }
    }
  });

  test('has every text in every language, and is right-to-left in Arabic and Persian', () => {
    for (const language of portalLanguages) {
      const html = render({ ...everyMethod, language, problem: 'wrong_credentials' });
      expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
      expect(html).not.toMatch(/undefined|\[object|\{wait\}|\{host\}/);
      for (const code of guestProblems) {
        expect(render({ ...problem, language, problem: code, problemValues: { seconds: 90 } })).not.toMatch(
          /undefined|\{\w+\}<|\{wait\}/,
        );
      }
      for (const view of [
        online,
        { ...online, online: false },
        agreement,
        codeStep,
        survey,
        full,
        data,
        pass,
        onlineUnconfirmed,
        confirmEmail,
        { ...confirmEmail, done: true },
        ...connecting,
        ...buying,
      ])
        expect(render({ ...view, language })).not.toMatch(/undefined|\{\w+\}</);
    }
    expect(render({ ...signIn, language: 'ar' })).toContain('اسم المستخدم');
    expect(render({ ...problem, language: 'tr', problem: 'too_many', problemValues: { seconds: 90 } })).toContain(
      '1 dk. 30 sn.',
    );
  });

  test('tells its script how long a notice asks to wait, and nothing for other notices', () => {
    const pause = render({ ...codeStep, problem: 'sms_pause', problemValues: { seconds: 42 } });
    expect(pause).toMatch(/<div class="notice info" role="alert" id="problem" data-wait="42">/);
    expect(render({ ...codeStep, problem: 'bad_phone' })).toMatch(/<div class="notice" role="alert" id="problem">/);
    expect(render({ ...everyMethod, problem: 'wrong_credentials' })).not.toContain('data-wait');
  });

  test('goes on by itself where the guest waits for the router or the hotel system, also without script', () => {
    const steps = buying.map(view => {
      const html = render(view);
      const [script, plain] = [/data-refresh="([^"]+)"/, /<meta http-equiv="refresh" content="3;url=([^"]+)"/i];
      return [view.at.step, script.exec(html)?.[1], plain.exec(html)?.[1]];
    });
    expect(steps.filter(([, script, plain]) => script ?? plain)).toEqual([
      ['charging', '/w/abcdefgh1234/pay?check=1', '/w/abcdefgh1234/pay?check=1'],
      ['switching', '/w/abcdefgh1234/pay', '/w/abcdefgh1234/pay'],
    ]);
  });

  test('leads to the router at once, and once only', () => {
    const [first, again] = connecting.map(render);
    expect(first).toContain('<meta http-equiv="refresh" content="0;url=http://10.5.50.1/login?username=');
    expect(again).not.toContain('http-equiv');
    for (const html of [first, again]) expect(html).toContain('href="/w/abcdefgh1234/connect?n=0"');
  });

  test('escapes everything that was typed or named', () => {
    const messages = Object.fromEntries(messageKeys.map(key => [key, { en: hostile }]));
    for (const view of [
      {
        ...everyMethod,
        locationName: hostile,
        state: hostile,
        action: hostile,
        values: { username: hostile },
        portal: { ...portalWith(), name: hostile, messages },
      },
      { ...problem, locationName: hostile, retry: hostile, requestId: hostile, languageLink: hostile },
      {
        ...online,
        locationName: hostile,
        goOn: `https://example.com/${encodeURI(hostile)}`,
        logOut: hostile,
        refresh: hostile,
      },
    ]) {
      const html = render(view);
      expect(html).not.toMatch(/<script>|<img src=x|<\/style>(?!<script src|<\/head)/);
    }
  });

  test('shows the operator’s choices', () => {
    const styles = {
      portal_logo: '/uploads/a/logo-b.webp',
      logo_background_color: '#000000',
      logo_scale: 80,
      welcome_font_size: 32,
      color_scheme: 'dark',
    } as const;
    const html = render({
      ...signIn,
      portal: { ...portalWith(styles), messages: { welcome_message_title: { en: 'Hi there' } } },
    });
    expect(html).toContain('<img src="/uploads/a/logo-b.webp" alt="Kafe Çınar"/>');
    expect(html).toContain('class="brand band"');
    expect(html).toContain('--logo-width:80%');
    expect(html).toContain('--title-size:2rem');
    expect(html).toContain('color-scheme:dark');
    expect(html).toContain('<h1>Hi there</h1>');
    expect(render({ ...signIn, portal: portalWith({ ...styles, logo_type: 'passive' }) })).not.toContain('<img');
    const many = (provider_layout: 'dropdown' | 'scroll') =>
      render({ ...everyMethod, agree: null, agreements: [], portal: portalWith({ provider_layout }) });
    expect(many('dropdown').match(/<details name="method"/g)).toHaveLength(6);
    expect(many('scroll').match(/type="radio"/g)).toHaveLength(6);
    // With boxes to tick the page has one form, and the other methods lead to the page with theirs.
    for (const provider_layout of ['dropdown', 'scroll'] as const) {
      const asking = render({ ...everyMethod, portal: portalWith({ provider_layout }) });
      expect(asking.match(/<form /g)).toHaveLength(1);
      expect(asking.match(/type="checkbox"/g)).toHaveLength(2);
      expect(asking.match(/name="go"[^>]*value="(sms|email)"|value="(sms|email)"[^>]*name="go"/g)).toHaveLength(2);
    }
    expect(render({ ...agreement })).toContain('<p class="align-center">Terms</p>');
  });

  test('gives every method its tab, also the seventh', () => {
    const methods = [...everyMethod.methods, { slug: 'voucher' as const, fields: [] }];
    const html = render({
      ...everyMethod,
      methods,
      agree: null,
      agreements: [],
      portal: portalWith({ provider_layout: 'scroll' }),
    });
    methods.forEach((_, i) => {
      expect(html).toContain(`class="panel panel-${i}"`);
      expect(html).toContain(`.tab-${i}:checked~.panel-${i}{display:block}`);
    });
  });

  test('loads fonts first only for languages whose letters they have, also for those of an owner', () => {
    const portal = portalWith({ text_font: 'figtree', title_font: 'fraunces' });
    const fonts = (language: string) =>
      render({ ...signIn, language, portal }).match(/rel="preload" as="font"/g)?.length;
    for (const language of ['tr', 'en', 'pl', 'az']) expect(fonts(language), language).toBe(2);
    for (const language of ['ru', 'ar', 'zh', 'ka', 'he', 'el', 'sr'])
      expect(fonts(language), language).toBeUndefined();
  });

  test('darkens the whole page with the phone, and keeps logo, title and button visible', () => {
    const styles = {
      dark_mode: 'device',
      portal_logo: '/uploads/a/logo-b.webp',
      background_type: 'color',
      background_color: '#f0efea',
      theme_color: '#f0efea',
      primary_color: '#171717',
      welcome_message_text_color: '#111111',
    } as const;
    const view = { ...signIn, portal: portalWith(styles) };
    const [, night = ''] = /@media\(prefers-color-scheme:dark\)\{(.*?\})\}</s.exec(render(view)) ?? [];
    const value = (name: string) => parseHex(new RegExp(`--${name}:(#\\w+)`).exec(night)?.[1] ?? '');
    expect(contrast(value('title'), value('card'))).toBeGreaterThan(7);
    expect(contrast(value('primary'), value('card'))).toBeGreaterThan(7);
    expect(night).toContain('.backdrop{background:#181817}');
    // A logo without a version for dark pages stays on the ground of the light form.
    const plate = /\.brand img\{[^}]*background:#ffffff\}/;
    expect(night).toMatch(plate);
    expect(render(view)).toContain(
      '<meta name="theme-color" media="(prefers-color-scheme:dark)" content="#181817"/><meta name="theme-color" content="#f0efea"/>',
    );
    const withLogo = portalWith({ ...styles, dark_logo: '/uploads/a/logo-c.webp' });
    expect(render({ ...signIn, portal: withLogo })).not.toMatch(plate);
    // It was drawn for the dark, so a light band behind it becomes dark; a dark one stays.
    for (const [band, expected] of [
      ['#ffd43b', '--band:#1a1d23'],
      ['#17344f', undefined],
    ] as const) {
      const styled = portalWith({ ...withLogo.styles, logo_background_color: band });
      const html = render({ ...signIn, portal: styled });
      expect(html).toContain(`--band:${band}`);
      const [, dark = ''] = /@media\(prefers-color-scheme:dark\)\{(.*?\})\}</s.exec(html) ?? [];
      expect(/--band:#\w+/.exec(dark)?.[0]).toBe(expected);
    }
    const drawn = portalWith({ ...styles, background_type: 'image', background_art: 'cafe' });
    expect(render({ ...signIn, portal: drawn })).toContain('.backdrop{filter:brightness(.6)}');
    // The preview shows the same without the phone's setting.
    const preview = renderParts(view, true).css;
    for (const rule of night.split('}').filter(it => !it.startsWith(':root') && it))
      expect(preview).toContain(`${rule}}`);
    expect(preview).toContain(`--title:${/--title:(#\w+)/.exec(night)?.[1]}`);
    expect(renderParts(view, false).css).toContain('@media(prefers-color-scheme:dark)');
  });

  test('uses fields that need no script, and shows an embed code in a sandboxed frame', () => {
    const html = render(survey);
    expect(html).toContain('<input type="radio" aria-label="Bad" name="q-q1" value="a1"/>');
    expect(html).toContain('<input type="checkbox" name="q-q2-a1" value="1"/><span dir="auto">The tea</span>');
    expect(html).toMatch(/<label for="q-q3"[^>]*>What else\?/);
    expect(html).toMatch(/<button type="submit" class="button plain" value="1" name="skip">Skip/);
    expect(render({ ...survey, problem: 'wrong_credentials' })).toContain('Wrong username or password');
    const framed = render({ ...online, ad: { ...advertisement, name: 'Film', images: [], frame: '/w/a/ad/x' } });
    expect(framed).toMatch(/<iframe src="\/w\/a\/ad\/x" title="Film" sandbox="(?![^"]*allow-top)[^"]*"/);
  });

  test('can be replaced in parts, and names the origin that the preview listens to', () => {
    const { css, body } = renderParts(signIn);
    const html = renderPreview(signIn, { origin: 'https://panel.example', script: '/preview.js?v=1' });
    expect(html).toContain(body);
    expect(html).toContain(css);
    expect(html).toContain('data-panel="https://panel.example"');
  });
});

describe('a theme', () => {
  const colours = [
    '#000000',
    '#ffffff',
    '#808080',
    '#777777',
    '#ffff00',
    '#00ff00',
    '#0000ff',
    '#ff0000',
    '#2f71f2',
    '#f5e6c8',
    '#123456',
    '#7f7f00',
    '#c0ffee',
    '#ff69b4',
  ];
  const read = (css: string, name: string) => parseHex(new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(css)![1]!);

  test('stays readable with every colour', () => {
    let worst = 21;
    for (const card of colours) {
      for (const colour of colours) {
        const css = themeCss({
          ...portalWith().styles,
          form_background_color: card,
          primary_color: colour,
          secondary_color: colour,
          border_color: colour,
          welcome_message_text_color: colour,
          alert_color: colour,
          success_color: colour,
          info_color: colour,
          warning_color: colour,
        });
        for (const [front, back] of [
          ['ink', 'card'],
          ['muted', 'card'],
          ['title', 'card'],
          ['link', 'card'],
          ['on-primary', 'primary'],
          ['on-primary', 'primary-down'],
          ['on-soft', 'soft'],
          ['on-field', 'field'],
          ['alert', 'alert-bg'],
          ['success', 'success-bg'],
          ['info', 'info-bg'],
          ['warning', 'warning-bg'],
        ] as const) {
          const ratio = contrast(read(css, front), read(css, back));
          worst = Math.min(worst, ratio);
          expect(ratio, `${front} on ${back}: ${colour} on ${card}`).toBeGreaterThanOrEqual(4.5);
        }
        expect(
          Math.min(...['field', 'card'].map(back => contrast(read(css, 'second'), read(css, back)))),
          `second ${colour} on ${card}`,
        ).toBeGreaterThanOrEqual(3);
        expect(
          contrast(read(css, 'outline'), read(css, 'field')),
          `outline ${colour} on ${card}`,
        ).toBeGreaterThanOrEqual(3);
      }
    }
    expect(worst).toBeLessThan(5);
  });

  test('shows the chosen background', () => {
    const css = (styles: Parameters<typeof portalWith>[0]) => themeCss(portalWith(styles).styles);
    const background_image = '/uploads/a/background-b.webp';
    expect(css({ background_type: 'color', background_image, background_color: '#111111' })).toContain(
      '.backdrop{background:#111111}',
    );
    expect(css({ background_type: 'image', background_image, background_color: '#111111' })).toContain(
      `url("${background_image}") center/cover no-repeat #111111}`,
    );
    expect(
      css({
        background_type: 'color',
        color_type: 'gradient',
        background_color: '#111111',
        secondary_color: '#222222',
      }),
    ).toContain('linear-gradient(160deg,#111111,#222222) #111111}');
    const photo = '/uploads/a/photo-0193d1a0-0000-7000-8000-000000000001.webp';
    expect(css({ background_image: photo, background_focus_x: 20 })).toMatch(
      /photosmall-[^"]+"\) 20% 50%\/cover.*@media\(min-width:48rem\)\{\.backdrop\{background:url\("\/uploads\/a\/photo-/,
    );
    expect(css({ background_type: 'color_image', background_image, background_color: '#111111' })).toMatch(
      /linear-gradient\(160deg,#111111b3,#111111b3\),url\(/,
    );
  });
});
