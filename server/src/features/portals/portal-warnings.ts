import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { type Provider, storedProviders } from '@portico/contract/portal-providers.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import { listShownAt } from './portals.queries.ts';

/** A portal without its warnings, which need the installation's settings. */
export type PortalBody = Omit<Portal, 'warnings'>;

/** Adds the problems that guests of this portal would have. */
export async function withWarnings({ settings }: App, tx: Tx, portal: PortalBody): Promise<Portal> {
  // The national registry is offered only if its address is set.
  const works = (it: Provider) => it.slug !== 'citizen-id' || it.options.provider_type !== 'nvi' || settings.NVI_URL;
  const on = storedProviders(portal.providers).filter(it => it.is_active && works(it));
  const places = await listShownAt(tx, portal);
  const without = places.filter(
    ({ given, social }) => !social && !on.some(it => given.length === 0 || given.includes(it.slug)),
  );
  const isClosed = without.length > 0 || (on.length === 0 && places.length === 0);
  const warnings: Portal['warnings'] = [];
  if (isClosed) warnings.push(on.length === 0 ? 'no_method' : 'method_not_given');
  if (Object.values(portal.agreements).some(texts => isPartlyTranslated(texts, portal.page.languages)))
    warnings.push('agreement_language');
  return { ...portal, warnings };
}

/** Whether guests of some offered language do not get the text in it. */
const isPartlyTranslated = (texts: PerLanguage, offered: readonly PortalLanguage[]): boolean =>
  Object.values(texts).some(Boolean) && offered.some(it => !texts[it]);
