import { fill } from '@portico/contract/errors.ts';
import type { OnlineView } from '@portico/contract/guests.ts';
import { amount, duration } from '../amounts.ts';
import { Blocks } from '../parts/blocks.tsx';
import { Brand } from '../parts/brand.tsx';
import { ConfirmMail } from '../parts/confirm-mail.tsx';
import { Extend } from '../parts/extend.tsx';
import { Foot } from '../parts/foot.tsx';
import { CheckIcon, WifiIcon } from '../parts/icons.tsx';
import { Links } from '../parts/links.tsx';
import { NoAnswer } from '../parts/notice.tsx';
import { OpeningHours } from '../parts/opening-hours.tsx';
import { reloadOf } from '../parts/reload-of.ts';
import { textsIn } from '../texts/texts.ts';

export function OnlinePage({ view }: { view: OnlineView }) {
  const { online: texts, data, buy, extend } = textsIn(view.language);
  const { language } = view;
  return (
    <main className="card" data-refresh={reloadOf(view)} data-watch={view.watch ?? undefined}>
      <Brand
        portal={view.portal}
        name={view.locationName}
        otherwise={view.online ? <CheckIcon className="glyph success" /> : <WifiIcon className="glyph" />}
      />
      <div className="narrow">
        <h1>{view.online ? texts.title : texts.almost}</h1>
        <p className="lead" role="status">
          {view.online ? texts.text : texts.almostText}
        </p>
        {view.confirm && <ConfirmMail view={view} confirm={view.confirm} />}
        {view.online && (
          <dl>
            <Fact
              name={texts.timeLeft}
              value={view.secondsLeft === null ? texts.unlimited : duration(language, view.secondsLeft)}
              secondsLeft={view.secondsLeft}
            />
            <Fact name={texts.timeUsed} value={duration(language, view.secondsUsed)} />
            <Fact
              name={texts.dataLeft}
              value={view.bytesLeft === null ? texts.unlimited : amount(language, view.bytesLeft)}
              bytes={view.bytesLeft}
            />
            <Fact name={texts.dataUsed} value={amount(language, view.bytesUsed)} bytes={view.bytesUsed} />
          </dl>
        )}
        {view.endsSoon && view.online && (
          <p className="lead soon" role="status">
            <b>{extend.soon}</b>
          </p>
        )}
        {view.logOut && view.online && <NoAnswer language={language} />}
        {view.goOn && view.online && (
          <a className="button" href={view.goOn} rel="noreferrer nofollow">
            <GoOn words={texts.goOn} host={new URL(view.goOn).host} />
          </a>
        )}
        {view.extend && view.online && <Extend view={view} extend={view.extend} />}
        {view.buy && view.online && (
          <a className={view.endsSoon ? 'button' : 'button quiet'} href={view.buy}>
            {buy.more}
          </a>
        )}
        {view.logOut && view.online && (
          <form method="post" action={view.logOut}>
            <input type="hidden" name="lang" value={language} />
            <button type="submit" className="button quiet">
              {texts.logOut}
            </button>
          </form>
        )}
        {!view.logOut && view.online && <p className="lead">{texts.noLogOut}</p>}
        <a className="button plain" href={view.refresh}>
          {texts.refresh}
        </a>
      </div>
      {view.ownData && view.online && (
        <a className="button plain" href={view.ownData}>
          {data.title}
        </a>
      )}
      <Blocks blocks={view.blocks} ad={view.ad} language={language} />
      <Foot view={view} link={view.languageLink}>
        {view.locationName && (
          <p>
            <bdi>{view.locationName}</bdi>
          </p>
        )}
        <OpeningHours portal={view.portal} language={language} />
        {view.online && <Links links={view.portal?.page.links ?? []} language={language} />}
      </Foot>
    </main>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  /** The page's script counts this value down. */
  readonly secondsLeft?: number | null;
  /** The page's script keeps this value up to date. */
  readonly bytes?: number | null;
}

function Fact({ name, value, secondsLeft, bytes }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-left={secondsLeft ?? undefined} data-bytes={bytes ?? undefined}>
        {value}
      </dd>
    </div>
  );
}

/** Host names are left-to-right in every language. */
function GoOn({ words, host }: { words: string; host: string }) {
  const [before = '', after = ''] = fill(words, { host: '\0' }).split('\0');
  return (
    <span>
      {before}
      <bdi dir="ltr">{host}</bdi>
      {after}
    </span>
  );
}
