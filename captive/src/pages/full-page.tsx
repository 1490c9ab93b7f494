import type { FullView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { WarningIcon } from '../parts/icons.tsx';
import { Notice } from '../parts/notice.tsx';
import { Plain } from '../parts/plain.tsx';
import { textsIn, timeFormat } from '../texts/texts.ts';

export function FullPage({ view }: { view: FullView }) {
  const { full: texts, back, connecting } = textsIn(view.language);
  const when = timeFormat(view.language, view.timeZone);
  return (
    <main className="card">
      <Brand portal={null} name={view.locationName} otherwise={<WarningIcon className="glyph warning" />} />
      <div className="narrow">
        <h1>{texts.title}</h1>
        <p className="lead">{texts.text}</p>
        <Notice view={view} />
        <form method="post" action={view.action} data-busy={connecting}>
          <input type="hidden" name="state" value={view.state} />
          <input type="hidden" name="lang" value={view.language} />
          <Plain />
          <fieldset>
            <legend>{texts.devices}</legend>
            {view.devices.map(({ id, mac, startedAt }, index) => (
              <label key={id} className="choice">
                <input
                  type="radio"
                  name="session"
                  value={id}
                  required
                  defaultChecked={index === view.devices.length - 1}
                />
                <bdi dir="ltr">{mac}</bdi>
                <small>
                  {texts.since} <bdi>{when.format(new Date(startedAt))}</bdi>
                </small>
              </label>
            ))}
          </fieldset>
          <button type="submit" className="button">
            {texts.end}
          </button>
          <a className="button plain" href={view.back}>
            {back}
          </a>
        </form>
      </div>
      <Foot view={view} link={view.languageLink}>
        <p>
          <bdi>{view.locationName}</bdi>
        </p>
      </Foot>
    </main>
  );
}
