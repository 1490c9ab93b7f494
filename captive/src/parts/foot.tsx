import { type PortalLanguage, portalLanguages } from '@portico/contract/errors.ts';
import { languageNames } from '@portico/contract/portal-languages.ts';
import type { ReactNode } from 'react';
import { textsIn } from '../texts/texts.ts';
import { GoButton } from './go-button.tsx';

/** The page's footer with the choice of language. `form`: the form whose input the choice keeps. */
export function Foot({
  language,
  link,
  form,
  children,
}: {
  language: PortalLanguage;
  link: string | null;
  form?: string;
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
            ) : form ? (
              <GoButton key={it} form={form} to={it} lang={it}>
                {languageNames[it]}
              </GoButton>
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
