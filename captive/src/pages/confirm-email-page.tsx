import type { ConfirmEmailView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { CheckIcon, InfoIcon } from '../parts/icons.tsx';
import { LeadText } from '../parts/lead-text.tsx';
import { textsIn } from '../texts/texts.ts';

/** The page behind the link in the mail. The last page has nothing to press: the guest closes it. */
export function ConfirmEmailPage({ view }: { view: ConfirmEmailView }) {
  const { mail: texts } = textsIn(view.language);
  return (
    <main className="card">
      <Brand
        portal={view.portal}
        name={view.locationName}
        otherwise={view.done ? <CheckIcon className="glyph success" /> : <InfoIcon className="glyph info" />}
      />
      <div className="narrow">
        <p className="eyebrow">
          <bdi>{view.locationName}</bdi>
        </p>
        <h1>{view.done ? texts.done : texts.title}</h1>
        {view.done ? (
          <p className="lead">{texts.doneText}</p>
        ) : (
          <>
            <LeadText text={texts.question} name="email" value={view.email} />
            <form method="post" action={view.action}>
              <input type="hidden" name="t" value={view.token} />
              <input type="hidden" name="lang" value={view.language} />
              <button type="submit" className="button">
                {texts.confirm}
              </button>
            </form>
          </>
        )}
      </div>
      <Foot view={view} link={view.languageLink} />
    </main>
  );
}
