import type { DataView } from '@portico/contract/guests.ts';
import { languageName } from '@portico/contract/portal-languages.ts';
import { amount } from '../amounts.ts';
import { Brand } from '../parts/brand.tsx';
import { Box } from '../parts/consents.tsx';
import { Foot } from '../parts/foot.tsx';
import { InfoIcon } from '../parts/icons.tsx';
import { textsIn, timeFormat } from '../texts/texts.ts';

/** A guest's own data. Deleting it needs a confirmation, also without script. */
export function DataPage({ view }: { view: DataView }) {
  const { data: texts, fields, agreements } = textsIn(view.language);
  const format = timeFormat(view.language, view.timeZone);
  const when = (time: string) => <bdi>{format.format(new Date(time))}</bdi>;
  const hidden = <input type="hidden" name="lang" value={view.language} />;
  return (
    <main className="card wide own">
      <Brand portal={null} name={view.locationName} otherwise={<InfoIcon className="glyph info" />} />
      <h1>{texts.title}</h1>
      <p className="lead">{texts.text.replace('{place}', view.locationName)}</p>
      <dl>
        {view.person.map(({ field, value }) => (
          <div key={field}>
            <dt>{field === 'name' ? texts.name : fields[field]}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt>{texts.since}</dt>
          <dd>{when(view.since)}</dd>
        </div>
        <div>
          <dt>{texts.surveys}</dt>
          <dd>{view.responses}</dd>
        </div>
        <div>
          <dt>{texts.remembered}</dt>
          <dd>{view.remembered ? texts.yes : texts.no}</dd>
        </div>
      </dl>
      {view.marketing.length > 0 && (
        <>
          <h2>{texts.news}</h2>
          <form method="post" action={`${view.action}/marketing`}>
            {hidden}
            <input type="hidden" name="shown" value={view.marketing.map(it => it.channel).join(' ')} />
            {view.marketingSaved && <p role="status">{texts.saved}</p>}
            <p>{texts.newsText}</p>
            {view.marketing.map(({ channel, text, version, recipient, givenAt }) => (
              <Box key={channel} name={`allow_${channel}`} value={version || '-'} ticked={givenAt !== null} optional>
                <span dir="auto">{text}</span>{' '}
                <small>
                  <bdi dir="ltr">{recipient}</bdi>
                  {givenAt && <> · {when(givenAt)}</>}
                </small>
              </Box>
            ))}
            {view.notice && (
              <p>
                <a href={view.notice}>{agreements.kvkk}</a>
              </p>
            )}
            <div className="narrow">
              <button type="submit" className="button quiet">
                {texts.save}
              </button>
            </div>
          </form>
        </>
      )}
      <h2>{texts.consents}</h2>
      {view.consents.length === 0 && <p>{texts.none}</p>}
      <ul>
        {view.consents.map(({ at, language }) => (
          <li key={at}>
            {when(at)} · <bdi>{languageName(language)}</bdi>
          </li>
        ))}
      </ul>
      <h2>{texts.sessions}</h2>
      {view.sessions.length === 0 && <p>{texts.none}</p>}
      <ul>
        {view.sessions.map(({ mac, startedAt, endedAt, bytes }) => (
          <li key={startedAt + mac}>
            <bdi dir="ltr">{mac}</bdi> · {when(startedAt)} – {endedAt ? when(endedAt) : texts.now} ·{' '}
            <bdi>{amount(view.language, bytes)}</bdi>
          </li>
        ))}
      </ul>
      <p>{texts.law.replace('{days}', String(view.lawDays))}</p>
      {!view.whole && <p>{texts.account}</p>}
      <p>{texts.correct}</p>
      <div className="narrow">
        <a className="button quiet" href={view.file} download="my-data.json">
          {texts.download}
        </a>
        {view.mailed && (
          <p className="lead" role="status">
            {texts.mailed}
          </p>
        )}
        {view.email && !view.mailed && (
          <form method="post" action={`${view.action}/mail`}>
            {hidden}
            <button type="submit" className="button quiet">
              <span>
                {texts.mail} <bdi dir="ltr">{view.email}</bdi>
              </span>
            </button>
          </form>
        )}
        <details>
          <summary>{texts.erase}</summary>
          <form className="inside" method="post" action={`${view.action}/delete`}>
            {hidden}
            <p>{view.whole ? texts.sure : texts.sureAccount}</p>
            <button type="submit" className="button">
              {texts.eraseNow}
            </button>
          </form>
        </details>
      </div>
      <Foot view={view} link={view.languageLink} />
    </main>
  );
}
