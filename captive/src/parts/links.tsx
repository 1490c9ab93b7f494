import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { LinkKind, PortalLink } from '@portico/contract/portal-page.ts';
import { textsIn } from '../texts/texts.ts';

/** Names of services are the same in every language. */
const names: Readonly<Record<Exclude<LinkKind, 'website' | 'map'>, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  x: 'X',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
  linkedin: 'LinkedIn',
  tripadvisor: 'Tripadvisor',
};

/** The links of the venue. They are shown to guests who are online, because the router blocks them before. */
export function Links({ links, language }: { links: readonly PortalLink[]; language: PortalLanguage }) {
  if (!links.length) return null;
  const { links: texts } = textsIn(language);
  return (
    <nav className="links" aria-label={texts.title}>
      {links.map(({ kind, url }) => (
        <a key={kind + url} href={url} rel="noreferrer nofollow">
          {kind === 'website' || kind === 'map' ? texts[kind] : names[kind]}
        </a>
      ))}
    </nav>
  );
}
