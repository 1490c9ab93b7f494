import type { AgreementView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { RichText } from '../parts/rich-text.tsx';
import { textsIn } from '../texts/texts.ts';

export function AgreementPage({ view }: { view: AgreementView }) {
  const texts = textsIn(view.language);
  return (
    <main className="card wide">
      <Brand portal={view.portal} name={view.locationName} />
      <h1>{texts.agreements[view.kind]}</h1>
      <RichText html={view.html} />
      <a className="button quiet" href={view.back}>
        {texts.back}
      </a>
      <Foot view={view} link={view.languageLink} />
    </main>
  );
}
