import { type MarketingChannel, marketingChannels, marketingKeys } from '@portico/contract/consent-kinds.ts';
import type { MarketingConsent } from '@portico/contract/consents.ts';
import type { ConsentBox, MarketingBox } from '@portico/contract/guests.ts';
import { type PortalLanguage, portalLanguages } from '@portico/contract/portal-languages.ts';
import { offeredLanguages } from '@portico/contract/portal-page.ts';
import type { Tx } from '#db/tenant.ts';
import { insertConsent, recipientHash, textVersion } from '#features/consents/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import type { PortalRow } from '../guest-context.queries.ts';
import { agreementVersion } from './consents.queries.ts';
import { findAddresses } from './guest-visitors.queries.ts';

/** Boxes for news and offers. Each has its own sentence, and none is ticked for the guest. */

/** A box that the guest ticked: the sentence that it saw, in the language that it saw. */
export interface Allowed {
  readonly channel: MarketingChannel;
  readonly version: string;
  readonly language: PortalLanguage;
}

type Texts = Pick<PortalRow, 'agreements' | 'page'>;

/** The sentence of a channel in a language, else in the portal's first that has one. Undefined if the portal does not ask. */
export function marketingText({ agreements, page }: Texts, channel: MarketingChannel, wanted: PortalLanguage) {
  const texts = agreements[marketingKeys[channel]] ?? {};
  const language = [wanted, ...offeredLanguages(page), ...portalLanguages].find(it => texts[it]);
  if (!language) return undefined;
  const text = texts[language]!;
  return { text, language, version: textVersion(text) };
}

export const marketingBoxes = (portal: Texts, language: PortalLanguage): MarketingBox[] =>
  marketingChannels.flatMap(channel => {
    const it = marketingText(portal, channel, language);
    return it ? [{ channel, text: it.text, version: it.version }] : [];
  });

type Ticks = Partial<Record<ConsentBox, string>>;

/** The ticked boxes whose sentence is still the one that the guest saw. */
export const allowedBy = (form: Ticks, portal: Texts, wanted: PortalLanguage): Allowed[] =>
  marketingChannels.flatMap(channel => {
    const it = marketingText(portal, channel, wanted);
    return it && form[`allow_${channel}`] === it.version
      ? [{ channel, version: it.version, language: it.language }]
      : [];
  });

/** Whether the guest accepted the terms and read the notice, each by its own box. */
export function hasAccepted(form: Ticks, portal: Texts): boolean {
  const version = agreementVersion(portal);
  return !version || (form.agree === version && (!hasBoth(portal) || Boolean(form.notice)));
}

const has = (texts: object | undefined) => Object.values(texts ?? {}).some(Boolean);
const hasBoth = ({ agreements }: Texts) => has(agreements.general) && has(agreements.kvkk);

/** The boxes that stay ticked when the page is shown again. */
export const tickedIn = (form: Ticks, portal: Texts, language: PortalLanguage): ConsentBox[] => [
  ...(form.agree && form.agree === agreementVersion(portal) ? ['agree' as const] : []),
  ...(form.notice ? ['notice' as const] : []),
  ...allowedBy(form, portal, language).map(it => `allow_${it.channel}` as const),
];

interface Guest {
  readonly tenantId: string;
  readonly visitorId: string;
  readonly locationId: string;
  readonly mac: string;
  /** The address or number that was just typed. Without them, those of the visitor count. */
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Records what the guest allowed. A channel whose address is unknown cannot be allowed. */
export async function keepAllowed(
  { secrets }: App,
  tx: Tx,
  portal: Texts,
  guest: Guest,
  { allowed, source }: { readonly allowed: readonly Allowed[]; readonly source: MarketingConsent['source'] },
): Promise<void> {
  if (!allowed.length) return;
  const known = await findAddresses(tx, guest.visitorId);
  for (const { channel, version, language } of allowed) {
    const shown = marketingText(portal, channel, language);
    const recipient = channel === 'email' ? (guest.email ?? known?.email) : (guest.phone ?? known?.phone);
    if (!recipient || shown?.version !== version) continue;
    const { visitorId, locationId, mac } = guest;
    const { text } = shown;
    const hash = recipientHash(secrets, guest.tenantId, recipient);
    await insertConsent(tx, newId(), {
      ...{ visitorId, locationId, mac, channel, recipient, text, version, language, source },
      recipientHash: hash,
    });
  }
}
