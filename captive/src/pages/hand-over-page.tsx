import type { HandOverView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { WarningIcon, WifiIcon } from '../parts/icons.tsx';
import { NoAnswer } from '../parts/notice.tsx';
import { textsIn } from '../texts/texts.ts';

export function HandOverPage({ view }: { view: HandOverView }) {
  const texts = textsIn(view.language);
  const { handOver } = texts;
  const isIn = view.way === 'in';
  const shown = !view.opensPage && (!view.framed || view.tried);
  // A second time, the guest decides: the router may have sent it back without asking about the ticket.
  const auto = view.opensPage && !view.tried;
  return (
    <main className="card">
      <Brand portal={view.portal} name={view.locationName} otherwise={<WifiIcon className="glyph" />} />
      <div className="narrow">
        <h1>{isIn ? handOver.title : handOver.leave}</h1>
        {!view.opensPage && <p className="lead">{isIn ? handOver.text : handOver.leaveText}</p>}
        {view.tried && (
          <div className="notice" role="alert">
            <WarningIcon />
            <span>
              <b>{handOver.tried}</b>
              {view.framed && <span>{handOver.triedText}</span>}
            </span>
          </div>
        )}
        {!view.framed && <NoAnswer language={view.language} />}
        <form
          method="post"
          action={view.action}
          target={view.framed ? 'router' : undefined}
          data-auto={auto ? view.next : undefined}
        >
          {Object.entries(view.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" className="button">
            {isIn ? texts.connect : handOver.leave}
          </button>
          {view.framed && view.tried && (
            <button type="submit" className="button quiet" formTarget="_self">
              {handOver.here}
            </button>
          )}
        </form>
        {shown && <p className="lead">{handOver.shown}</p>}
        {!auto && (
          <a className="button quiet" href={view.next} data-next="">
            {handOver.goOn}
          </a>
        )}
        {/* The router's answer is XML for programs. The sandbox stops its scripts and navigation. */}
        {view.framed && <iframe name="router" title={handOver.title} sandbox="" hidden />}
      </div>
      <Foot view={view} link={view.languageLink}>
        {view.locationName && (
          <p>
            <bdi>{view.locationName}</bdi>
          </p>
        )}
      </Foot>
    </main>
  );
}
