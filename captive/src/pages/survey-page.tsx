import { surveyTextMax } from '@portico/contract/guest-forms.ts';
import type { Texts } from '@portico/contract/guest-texts/keys.ts';
import type { SurveyQuestion, SurveyView } from '@portico/contract/guests.ts';
import { emojis } from '@portico/contract/surveys.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { Notice } from '../parts/notice.tsx';
import { Plain } from '../parts/plain.tsx';
import { textsIn } from '../texts/texts.ts';

const faces: Record<(typeof emojis)[number], string> = {
  'very-bad': '😠',
  bad: '😟',
  neutral: '😐',
  good: '😊',
  'very-good': '😄',
};
const isFace = (emoji: string | null): emoji is (typeof emojis)[number] =>
  (emojis as readonly (string | null)[]).includes(emoji);

export function SurveyPage({ view }: { view: SurveyView }) {
  const texts = textsIn(view.language);
  return (
    <main className="card">
      <Brand portal={view.portal} name={view.locationName} />
      <div className="narrow">
        <h1>{texts.survey.title}</h1>
        <p className="lead">{texts.survey.text}</p>
        <Notice view={view} />
        <form method="post" action={view.action}>
          <input type="hidden" name="state" value={view.state} />
          <input type="hidden" name="lang" value={view.language} />
          <Plain />
          {view.questions.map(question => (
            <Question key={question.id} question={question} texts={texts} />
          ))}
          <button type="submit" className="button">
            {texts.survey.send}
          </button>
          <button type="submit" className="button plain" name="skip" value="1">
            {texts.survey.skip}
          </button>
        </form>
      </div>
      <Foot view={view} link={view.languageLink} />
    </main>
  );
}

function Question({ question, texts }: { question: SurveyQuestion; texts: Texts }) {
  const { id, label, kind, answers } = question;
  const name = `q-${id}`;
  if (kind === 'text')
    return (
      <div className="field">
        <label htmlFor={name} dir="auto">
          {label} <small>({texts.optional})</small>
        </label>
        <textarea id={name} name={name} maxLength={surveyTextMax} rows={3} dir="auto" />
      </div>
    );
  const inputOf = (answer: string) =>
    kind !== 'multiple'
      ? ({ type: 'radio', name, value: answer } as const)
      : ({ type: 'checkbox', name: `${name}-${answer}`, value: '1' } as const);
  const pictured = answers.every(answer => answer.emoji);
  return (
    <fieldset>
      <legend dir="auto">
        {label} {kind === 'multiple' && <small>({texts.survey.several})</small>}
      </legend>
      {kind === 'scale' && (
        <p className="ends">
          <span>{texts.survey.least}</span>
          <span>{texts.survey.most}</span>
        </p>
      )}
      <div className={kind === 'scale' ? 'faces scale' : pictured ? 'faces' : undefined}>
        {answers.map(({ id: answer, label: words, emoji }) => {
          const face = isFace(emoji);
          return (
            <label key={answer} className={pictured || kind === 'scale' ? 'face' : 'choice'}>
              <input
                {...inputOf(answer)}
                aria-label={words ? undefined : face ? texts.survey.faces[emoji] : (emoji ?? undefined)}
              />
              {emoji && <b aria-hidden="true">{face ? faces[emoji] : emoji}</b>}
              <span dir="auto">{words}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
