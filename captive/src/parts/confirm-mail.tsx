import type { OnlineView } from '@portico/contract/guests.ts';
import { textsIn } from '../texts/texts.ts';
import { Field } from './field.tsx';
import { LeadText } from './lead-text.tsx';
import { Notice } from './notice.tsx';

const field = { name: 'email', type: 'email', autocomplete: 'email', inputmode: 'email' } as const;

/** Tells a guest who is online to open the mail, has it sent again, and takes another address. */
export function ConfirmMail({ view, confirm }: { view: OnlineView; confirm: NonNullable<OnlineView['confirm']> }) {
  const all = textsIn(view.language);
  const { mail: texts } = all;
  const wrong = confirm.problem === 'bad_email';
  const hidden = <input type="hidden" name="lang" value={view.language} />;
  return (
    <section className="mail">
      <h2>{texts.title}</h2>
      <LeadText text={texts.text} name="email" value={confirm.email} />
      {confirm.sent && (
        <p className="lead" role="status">
          <b>{texts.sent}</b>
        </p>
      )}
      <Notice view={{ language: view.language, problem: confirm.problem, problemValues: confirm.problemValues }} />
      <form method="post" action={confirm.action}>
        {hidden}
        <button type="submit" className="button quiet">
          {texts.again}
        </button>
      </form>
      <details open={wrong}>
        <summary>{texts.other}</summary>
        <form className="inside" method="post" action={confirm.action}>
          {hidden}
          <Field id="mail-email" field={field} texts={all} value={confirm.typed || undefined} invalid={wrong} />
          <button type="submit" className="button quiet">
            {texts.send}
          </button>
        </form>
      </details>
    </section>
  );
}
