import type { PortalLanguage } from '@portico/contract/errors.ts';
import { type AdView, embedSandbox } from '@portico/contract/guests.ts';
import { textsIn } from '../texts/texts.ts';

/** A row of pictures, or an embed code in a sandboxed frame. */
export function Advertisement({ ad, language }: { ad: AdView | null; language: PortalLanguage }) {
  if (!ad) return null;
  const texts = textsIn(language);
  return (
    <aside className="ad" aria-label={texts.advertisement}>
      <small>{texts.advertisement}</small>
      {ad.frame ? (
        <iframe src={ad.frame} title={ad.name} sandbox={embedSandbox} loading="lazy" allow="fullscreen" />
      ) : (
        <div className="strip" {...(ad.images.length > 1 && { tabIndex: 0, role: 'group', 'aria-label': ad.name })}>
          {ad.images.map((src, index) => (
            <img
              key={src}
              src={src}
              alt={index ? `${ad.name} ${index + 1}` : ad.name}
              loading="lazy"
              decoding="async"
            />
          ))}
        </div>
      )}
    </aside>
  );
}
