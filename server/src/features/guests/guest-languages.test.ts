import { directionOf, languageName, portalLanguages } from '@portico/contract/portal-languages.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { startVenue, stateOf } from './testing/venue.ts';

let venue: Awaited<ReturnType<typeof startVenue>>;
beforeAll(async () => {
  venue = await startVenue();
  venue.newMac();
});

const put = async (languages: unknown) =>
  venue.api.put(`panel/portal/${venue.portal.id}`, { token: venue.admin, body: { page: { languages } } });
/** Waits until the captive service has noticed the change. */
const noticed = async (asks: Record<string, string>, language: string) => {
  await expect
    .poll(async () => (await venue.captive.get(venue.arrival(), asks)).html)
    .toContain(`<html lang="${language}"`);
};

/** Offers Italian, French and Persian. */
const offerThree = async () => {
  expect((await put(['it', 'fr', 'fa'])).status).toBe(200);
  await noticed({ 'accept-language': 'fa' }, 'fa');
  await noticed({ 'accept-language': 'de' }, 'it');
};

describe('the languages of a portal', () => {
  test('are the five of before until the operator chooses', async () => {
    const portal = await venue.create('panel/portal', { name: 'Yeni', location_id: venue.location });
    expect(portal.page.languages).toEqual(['en', 'tr', 'de', 'ru', 'ar']);
    const network = { name: 'Yeni', start_ip: '10.78.0.0', subnet: '24', portal_id: portal.id };
    await venue.create(`panel/device/${venue.device.id}/network`, network);
    const french = await venue.captive.get(venue.arrival({ ip: '10.78.0.9' }), { 'accept-language': 'fr-FR,fr;q=0.9' });
    expect(french.html).toContain('<html lang="en"');
    expect(french.html).not.toContain('Français');
  });

  test('are refused with the field if the list is empty, or has a duplicate or an unknown language', async () => {
    for (const [languages, field] of [
      [[], 'page.languages'],
      [['tr', 'tr'], 'page.languages'],
      [['tr', 'xx'], 'page.languages'],
      ['tr', 'page.languages'],
    ] as const) {
      const answer = await put(languages);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
  });

  test('are the ones that guests choose from; the browser picks among them, and the first is the default', async () => {
    await offerThree();
    await noticed({ 'accept-language': 'fr-FR,fr;q=0.9,tr;q=0.8' }, 'fr');
    const page = async (headers: Record<string, string>, more = {}) =>
      (await venue.captive.get(venue.arrival(more), headers)).html;
    for (const asks of ['tr', 'ja;q=0.9, tr;q=0.8', ''])
      expect(await page({ 'accept-language': asks }), asks).toContain('<html lang="it" dir="ltr">');
    expect(await page({ 'accept-language': 'fa-IR' })).toContain('<html lang="fa" dir="rtl">');
    // A language that is no longer offered is not used, neither from an old link nor from the cookie.
    expect(await page({ 'accept-language': 'fr' }, { lang: 'tr' })).toContain('<html lang="fr"');
    expect(await page({ 'accept-language': 'fr', cookie: 'portico_language=tr' })).toContain('<html lang="fr"');
    const html = await page({ 'accept-language': 'it' });
    for (const language of portalLanguages)
      expect(html.includes(languageName(language)), language).toBe(['it', 'fr', 'fa'].includes(language));
  });

  test('fall back to the default language where a text is missing, which is warned of', async () => {
    await offerThree();
    const at = `panel/portal/${venue.portal.id}`;
    await venue.update(at, { agreements: { general: { tr: '<p>Koşullar</p>', it: '<p>Condizioni</p>' } } });
    await venue.update(at, { messages: { subtitle: { tr: 'Altyazı', it: 'Sottotitolo', fa: 'زیرنویس' } } });
    const terms = await venue.captive.get(
      venue.arrival({ lang: 'fr' }).replace(`/w/${venue.nas}`, `/w/${venue.nas}/agreement/general`),
    );
    expect(terms.html).toContain('Condizioni');
    expect((await venue.captive.get(venue.arrival({ lang: 'fr' }))).html).toContain('Sottotitolo');
    expect((await venue.captive.get(venue.arrival({ lang: 'fa' }))).html).toContain('زیرنویس');
    // The full stop stays at the end of an Italian text on a page that is written from the right.
    const texts = { footer_text: { it: 'Hotel S.p.A.' }, opening_hours: { it: 'Aperto 24 ore.' } };
    await venue.update(at, { messages: texts });
    const persian = (await venue.captive.get(venue.arrival({ lang: 'fa' }))).html;
    expect(persian).toContain('dir="auto">Hotel S.p.A.</p>');
    expect(persian).toContain('<bdi>Aperto 24 ore.</bdi>');
    const warnings = async () => (await venue.api.get(at, { token: venue.admin })).body.data.warnings;
    expect(await warnings()).toContain('agreement_language');
    await venue.update(at, { agreements: { general: { fr: '<p>Conditions</p>', fa: '<p>شرایط</p>' } } });
    expect(await warnings()).not.toContain('agreement_language');
  });

  test('are those of the portal of the guest’s network', async () => {
    await offerThree();
    const { id } = await venue.create('panel/portal', { name: 'Havuz', location_id: venue.location });
    await venue.update(`panel/portal/${id}`, { page: { languages: ['es', 'uk'] } });
    const network = { name: 'Havuz', start_ip: '10.77.0.0', subnet: '24', portal_id: id };
    await venue.create(`panel/device/${venue.device.id}/network`, network);
    const at = (ip: string, lang = '') =>
      venue.captive.get(venue.arrival({ ip, ...(lang && { lang }) }), { 'accept-language': 'uk' });
    await expect.poll(async () => (await at('10.77.0.9')).html).toContain('<html lang="uk"');
    expect((await at('10.77.0.9', 'es')).html).toContain('<html lang="es"');
    expect((await at('10.5.50.9', 'es')).html).toContain('<html lang="it"');
    // A form says the address in its state.
    const page = await at('10.77.0.9', 'es');
    const form = { state: stateOf(page.html), method: 'username', lang: 'es', username: '', password: '' };
    const answer = await venue.captive.post(`/w/${venue.nas}/sign-in`, form);
    expect(answer.headers.get('location')).toContain('lang=es');
    for (const ip of ['10.77.0.9; drop', '', '::ffff:1', 'x'.repeat(300)])
      expect((await at(ip)).status).toBeLessThan(500);
  });

  test('can be all; each has its sign-in page, problem and direction', async () => {
    await put(portalLanguages);
    await noticed({ 'accept-language': 'ja' }, 'ja');
    for (const lang of portalLanguages) {
      const { html } = await venue.captive.get(venue.arrival({ lang }));
      expect(html).toContain(`<html lang="${lang}" dir="${directionOf(lang)}">`);
      expect(html).not.toMatch(/undefined|\{\w+\}</);
    }
  });
});
