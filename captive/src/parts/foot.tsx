import { type PortalLanguage, portalLanguages } from '@portico/contract/errors.ts';
import type { ReactNode } from 'react';
import { languageNames, textsIn } from '../texts/texts.ts';

/** The page's footer with the choice of language. */
export function Foot({
  language,
  link,
  children,
}: {
  language: PortalLanguage;
  link: string | null;
  children?: ReactNode;
}) {
  if (!link && !children) return null;
  return (
    <footer>
      {link && (
        <nav aria-label={textsIn(language).languages}>
          {portalLanguages.map(it =>
            it === language ? (
              <b key={it} lang={it} aria-current="true">
                {languageNames[it]}
              </b>
            ) : (
              <a key={it} lang={it} href={link.replace('{lang}', it)} rel="nofollow">
                {languageNames[it]}
              </a>
            ),
          )}
        </nav>
      )}
      {children}
    </footer>
  );
}
