import type { PassView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { WifiIcon } from '../parts/icons.tsx';
import { textsIn } from '../texts/texts.ts';

export function PassPage({ view }: { view: PassView }) {
  const texts = textsIn(view.language);
  return (
    <main className="card">
      <Brand portal={view.portal} name={view.locationName} otherwise={<WifiIcon className="glyph" />} />
      <div className="narrow">
        <p className="eyebrow">
          <bdi>{view.locationName}</bdi>
        </p>
        <h1>{texts.pass.title}</h1>
        <p className="lead">{texts.pass.text}</p>
        <a className="button" href={view.connect}>
          {texts.connect}
        </a>
        <p className="lead">{texts.pass.away}</p>
      </div>
      <Foot view={view} link={view.languageLink} />
    </main>
  );
}
