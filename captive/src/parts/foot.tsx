import type { GuestView } from '@portico/contract/guests.ts';
import { languageNames, portalLanguages } from '@portico/contract/portal-languages.ts';
import type { ReactNode } from 'react';
import { textsIn } from '../texts/texts.ts';
import { GoButton } from './go-button.tsx';

/** The page's footer with the choice of language. `form`: the form whose input the choice keeps. */
export function Foot({
  view: { language, portal },
  link,
  form,
  children,
}: {
  view: Pick<GuestView, 'language' | 'portal'>;
  link: string | null;
  form?: string;
  children?: ReactNode;
}) {
  const offered = portal?.page.languages ?? portalLanguages;
  const choice = offered.length > 1 ? link : null;
  if (!choice && !children) return null;
  return (
    <footer>
      {choice && (
        <nav aria-label={textsIn(language).languages}>
          {portalLanguages
            .filter(it => offered.includes(it))
            .map(it =>
              it === language ? (
                <b key={it} lang={it} aria-current="true">
                  {languageNames[it]}
                </b>
              ) : form ? (
                <GoButton key={it} form={form} to={it} lang={it}>
                  {languageNames[it]}
                </GoButton>
              ) : (
                <a key={it} lang={it} href={choice.replace('{lang}', it)} rel="nofollow">
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
