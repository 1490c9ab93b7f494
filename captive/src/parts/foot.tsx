import type { GuestView } from '@portico/contract/guests.ts';
import { isShipped, languageName, portalLanguages } from '@portico/contract/portal-languages.ts';
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
  const offered: readonly string[] = portal?.page.languages ?? portalLanguages;
  const nameOf = (tag: string) => portal?.page.own_languages.find(it => it.tag === tag)?.name ?? languageName(tag);
  // Shipped ones first, in an order of their own, so that the list is the same in every language.
  const shown = [...portalLanguages.filter(it => offered.includes(it)), ...offered.filter(it => !isShipped(it))];
  const choice = offered.length > 1 ? link : null;
  if (!choice && !children) return null;
  return (
    <footer>
      {choice && (
        <nav aria-label={textsIn(language).languages}>
          {shown.map(it =>
            it === language ? (
              <b key={it} lang={it} aria-current="true">
                {nameOf(it)}
              </b>
            ) : form ? (
              <GoButton key={it} form={form} to={it} lang={it}>
                {nameOf(it)}
              </GoButton>
            ) : (
              <a key={it} lang={it} href={choice.replace('{lang}', it)} rel="nofollow">
                {nameOf(it)}
              </a>
            ),
          )}
        </nav>
      )}
      {children}
    </footer>
  );
}
