import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import { defaultMessages } from '@portico/contract/portal-messages.ts';
import { providersFor } from '@portico/contract/portal-providers.ts';
import type { PortalForm } from '@portico/contract/portals.ts';
import { expect, test } from 'vitest';
import { changesOf } from '#features/portals/editor/changes-of.ts';

const portal = {
  name: 'Lobi',
  styles: defaultStyles,
  providers: providersFor([]),
  messages: { ...defaultMessages, buy: { tr: 'Al', en: 'Buy' }, daily: { tr: 'Günlük' } },
  agreements: { kvkk: { tr: 'Metin' }, general: {}, marketing_email: {}, marketing_sms: {}, marketing_call: {} },
  page: { links: [], sign_in_blocks: [], connected_blocks: [], languages: ['en'], own_languages: [] },
};

test('only changed styles, messages and languages are sent', () => {
  const providers = providersFor([]).map(it => ({ ...it, is_active: !it.is_active }));
  const form: PortalForm = {
    name: 'Lobi',
    styles: { ...defaultStyles, alert_color: '#aa0000' },
    providers,
    messages: { buy: { tr: 'Al', en: 'Get' }, daily: { tr: 'Günlük' } },
    agreements: { kvkk: { tr: '' }, general: {} },
    page: { links: [{ kind: 'website', url: 'https://example.com/' }], languages: ['en'] },
  };
  expect(changesOf(form, portal)).toEqual({
    styles: { alert_color: '#aa0000' },
    providers,
    messages: { buy: { en: 'Get' } },
    agreements: { kvkk: { tr: '' } },
    page: { links: [{ kind: 'website', url: 'https://example.com/' }] },
  });
});

test('unchanged parts and parts that the form lacks are not sent', () => {
  expect(changesOf({ name: 'Bahçe' }, portal)).toEqual({ name: 'Bahçe' });
  expect(changesOf({ providers: portal.providers }, portal)).toEqual({});
});
