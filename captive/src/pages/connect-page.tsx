import type { ConnectView } from '@portico/contract/guests.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { WarningIcon, WifiIcon } from '../parts/icons.tsx';
import { Ways } from '../parts/ways.tsx';
import { textsIn } from '../texts/texts.ts';

/** Leads to the router by itself. If nothing answers there, the page stays, and after a while it says so. */
export function ConnectPage({ view }: { view: ConnectView }) {
  const { online, handOver, noAnswer } = textsIn(view.language);
  const [title, advice] = noAnswer;
  return (
    <main className="card">
      <Brand
        portal={view.portal}
        name={view.locationName}
        otherwise={view.tried ? <WarningIcon className="glyph alert" /> : <WifiIcon className="glyph" />}
      />
      <div className="narrow">
        <h1>{view.tried ? title : online.almost}</h1>
        <p className="lead" role={view.tried ? 'alert' : 'status'}>
          {view.tried ? advice : online.almostText}
        </p>
        {view.tried ? (
          <Ways view={view} />
        ) : (
          <div className="waits">
            <div className="wait">
              <a className="button" href={view.href}>
                {handOver.goOn}
              </a>
            </div>
            <div>
              <div className="notice">
                <WarningIcon />
                <span>
                  <b>{title}</b>
                  <span>{advice}</span>
                </span>
              </div>
              <Ways view={view} />
            </div>
          </div>
        )}
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
