import type { ProblemView } from '@portico/contract/guests.ts';
import { type PortalMessageKey, wording } from '@portico/contract/portal-messages.ts';
import { Brand } from '../parts/brand.tsx';
import { Foot } from '../parts/foot.tsx';
import { InfoIcon, WarningIcon } from '../parts/icons.tsx';
import { problemText } from '../parts/problem-text.ts';
import { Ways } from '../parts/ways.tsx';
import { textsIn } from '../texts/texts.ts';

// These problems are no mistakes, so they are shown as information.
const calm = new Set<ProblemView['problem']>([
  'not_from_router',
  'expired',
  'not_yet',
  'over_limit',
  'over_quota',
  'over_time',
  'free_over',
  'hotspot_off',
  'license_over',
  'away',
  'no_portal',
  'not_found',
  'data_gone',
  'data_gone_account',
  'mail_over',
  'visit_over',
  'visit_ended',
  'visit_unknown',
  'logged_out',
]);

/** The way on is another sign-in. */
const again = new Set<ProblemView['problem']>(['visit_over', 'visit_ended', 'logged_out', 'mail_over']);

export function ProblemPage({ view }: { view: ProblemView }) {
  const texts = textsIn(view.language);
  const { buy, voucher } = view.more;
  const offersMore = buy !== null || voucher !== null;
  const [title, advice] = problemText(view.language, view.problem, view.problemValues, { offersMore });
  return (
    <main className="card">
      <Brand
        portal={null}
        name={view.locationName}
        otherwise={
          calm.has(view.problem) ? <InfoIcon className="glyph info" /> : <WarningIcon className="glyph alert" />
        }
      />
      <div className="narrow">
        <h1>{title}</h1>
        <p className="lead">{advice}</p>
        {buy && <More view={view} href={buy} label="select_paid" />}
        {voucher && <More view={view} href={voucher} label="login_with_voucher" />}
        <Ways
          view={view}
          isMinor={offersMore}
          {...(again.has(view.problem) && { toForm: texts.signInAgain })}
          // A guest who is online asks for another mail there.
          {...(view.problem === 'mail_over' && { toRetry: texts.toOnline })}
        />
      </div>
      <Foot view={view} link={view.languageLink}>
        <p>
          {view.locationName && (
            <>
              <bdi>{view.locationName}</bdi> ·{' '}
            </>
          )}
          {texts.reference} <bdi>{view.requestId.slice(-8)}</bdi>
        </p>
      </Foot>
    </main>
  );
}

interface MoreProps {
  readonly view: ProblemView;
  readonly href: string;
  readonly label: PortalMessageKey;
}

/** A way to other access, with the words of the sign-in page. */
function More({ view: { portal, language }, href, label }: MoreProps) {
  return (
    <a className="button" href={href}>
      {wording(portal?.messages ?? {}, label, language)}
    </a>
  );
}
