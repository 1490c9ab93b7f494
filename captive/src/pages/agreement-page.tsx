import type { AgreementView } from '@portico/contract/guests.ts';
import { Foot } from '../parts/foot.tsx';
import { textsIn } from '../texts/texts.ts';

// The Content-Security-Policy blocks style attributes, so the editor's alignments become classes.
const withClasses = (html: string) =>
  html.replace(/ style="text-align:\s*(left|right|center|justify);?"/g, ' class="align-$1"');

export function AgreementPage({ view }: { view: AgreementView }) {
  const texts = textsIn(view.language);
  return (
    <main className="card wide">
      <h1>{texts.agreements[view.kind]}</h1>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised when it was saved */}
      <div className="rich" dir="auto" dangerouslySetInnerHTML={{ __html: withClasses(view.html) }} />
      <a className="button quiet" href={view.back}>
        {texts.back}
      </a>
      <Foot language={view.language} link={view.languageLink} />
    </main>
  );
}
