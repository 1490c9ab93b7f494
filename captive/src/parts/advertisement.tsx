import { type AdView, embedSandbox } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { textsIn } from '../texts/texts.ts';

/** A row of pictures, a video without sound, or an embed code in a sandboxed frame. */
export function Advertisement({ ad, language }: { ad: AdView | null; language: PortalLanguage }) {
  if (!ad) return null;
  const texts = textsIn(language);
  return (
    <aside className="ad" aria-label={texts.advertisement}>
      <small>{texts.advertisement}</small>
      {ad.frame ? (
        <iframe src={ad.frame} title={ad.name} sandbox={embedSandbox} loading="lazy" allow="fullscreen" />
      ) : ad.video ? (
        // The script starts it where the device allows; without it, the guest does.
        <video src={ad.video} poster={ad.images[0]} aria-label={ad.name} muted playsInline controls preload="none" />
      ) : (
        <div className="slides" {...(ad.images.length > 1 && { tabIndex: 0, role: 'group', 'aria-label': ad.name })}>
          {ad.images.map((src, index) => (
            <Picture key={src} src={src} link={ad.link} name={index ? `${ad.name} ${index + 1}` : ad.name} />
          ))}
        </div>
      )}
    </aside>
  );
}

/** The page of the advertiser opens beside this one, and learns nothing about it. */
function Picture({ src, name, link }: { src: string; name: string; link: string | null }) {
  const picture = <img src={src} alt={name} loading="lazy" fetchPriority="low" decoding="async" />;
  if (!link) return picture;
  return (
    <a href={link} target="_blank" rel="noopener noreferrer nofollow sponsored">
      {picture}
    </a>
  );
}
