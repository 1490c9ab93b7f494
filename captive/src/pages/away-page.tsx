import type { AwayView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { WifiIcon } from '../parts/icons.tsx';
import { textsIn } from '../texts/texts.ts';

export function AwayPage({ view }: { view: AwayView }) {
  const { social } = textsIn(view.language);
  return (
    <main className="card">
      <Brand portal={view.portal} name={view.locationName} otherwise={<WifiIcon className="glyph" />} />
      <div className="narrow">
        <h1>{social.title.replace('{name}', view.provider)}</h1>
        <p className="lead">{social.text}</p>
        <a className="button" href={view.href}>
          {social.goOn.replace('{name}', view.provider)}
        </a>
      </div>
      <Foot view={view} link={null} />
    </main>
  );
}
