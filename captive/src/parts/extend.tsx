import type { OnlineView } from '@portico/contract/guests.ts';
import { textsIn } from '../texts/texts.ts';
import { Field } from './field.tsx';
import { Notice } from './notice.tsx';

const field = { name: 'voucher', type: 'text', autocomplete: 'off' } as const;

/** Takes the code of a voucher from a guest who is online. */
export function Extend({ view, extend }: { view: OnlineView; extend: NonNullable<OnlineView['extend']> }) {
  const texts = textsIn(view.language);
  const { problem, problemValues } = extend;
  return (
    <section className="extend">
      {extend.added && (
        <p className="lead" role="status">
          <b>{texts.extend.added}</b>
        </p>
      )}
      <Notice view={{ language: view.language, problem, problemValues }} />
      <details open={problem !== null || !extend.adds}>
        <summary>{extend.adds ? texts.extend.title : texts.extend.goOn}</summary>
        <form className="inside" method="post" action={extend.action}>
          {!extend.adds && <p className="lead">{texts.extend.soonText}</p>}
          <input type="hidden" name="lang" value={view.language} />
          <Field id="extend-voucher" field={field} texts={texts} value={undefined} invalid={problem !== null} />
          <button type="submit" className="button quiet">
            {extend.adds ? texts.extend.add : texts.connect}
          </button>
        </form>
      </details>
    </section>
  );
}
