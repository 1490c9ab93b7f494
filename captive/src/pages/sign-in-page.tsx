import type { Texts } from '@portico/contract/guest-texts/keys.ts';
import type { CodeStep, MethodView, OutsideView, SignInView } from '@portico/contract/guests.ts';
import { type PortalMessageKey, wording } from '@portico/contract/portal-messages.ts';
import type { ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { ReactNode } from 'react';
import { Advertisement } from '../parts/advertisement.tsx';
import { Blocks } from '../parts/blocks.tsx';
import { Brand } from '../parts/brand.tsx';
import { Consents } from '../parts/consents.tsx';
import { Field } from '../parts/field.tsx';
import { Foot } from '../parts/foot.tsx';
import { GoButton } from '../parts/go-button.tsx';
import { WifiIcon } from '../parts/icons.tsx';
import { LeadText } from '../parts/lead-text.tsx';
import { NoAnswer, Notice, Unanswered } from '../parts/notice.tsx';
import { OpeningHours } from '../parts/opening-hours.tsx';
import { Plain } from '../parts/plain.tsx';
import { isCodeRefused, problemText } from '../parts/problem-text.ts';
import { Written } from '../parts/written.tsx';
import { textsIn } from '../texts/texts.ts';

const messagesOf: Readonly<Record<ProviderSlug, readonly [title: PortalMessageKey, info: PortalMessageKey]>> = {
  'citizen-id': ['login_with_citizen_id', 'citizen_id_info'],
  'room-number': ['login_with_room_number', 'room_number_info'],
  sms: ['login_with_sms', 'sms_info'],
  username: ['login_with_username', 'username_id_info'],
  temp: ['login_temp', 'temp_info'],
  email: ['login_with_email', 'email_info'],
  voucher: ['login_with_voucher', 'voucher_info'],
};

export function SignInPage({ view }: { view: SignInView }) {
  const texts = textsIn(view.language);
  const say = (key: PortalMessageKey) => wording(view.portal?.messages ?? {}, key, view.language);
  const [only, ...others] = view.methods;
  const seconds = view.ad?.seconds;
  return (
    <main className="card">
      <Brand portal={view.portal} name={view.locationName} otherwise={<WifiIcon className="glyph" />} />
      <div className="narrow">
        <EnterButton view={view} />
        {view.locationName && !hasLogo(view) && (
          <p className="eyebrow">
            <bdi>{view.locationName}</bdi>
          </p>
        )}
        {say('header_text') && <Written className="lead" text={say('header_text')} />}
        {view.code ? (
          <CodeHead view={view} step={view.code} />
        ) : (
          <>
            <h1>{say('welcome_message_title')}</h1>
            {say('subtitle') && <Written className="lead" text={say('subtitle')} />}
            {(!say('subtitle') || (only && !others.length)) && (
              <p className="lead">{only && !others.length && say(messagesOf[only.slug][1])}</p>
            )}
            <Notice view={view} />
          </>
        )}
        <Unanswered view={view} />
        <NoAnswer language={view.language} />
        {view.code && <CodeForm view={view} step={view.code} />}
        {!view.code && seconds && (
          <>
            <Advertisement ad={view.ad} language={view.language} />
            <div className="waits">
              <p className="lead wait">{texts.adWait.replace('{seconds}', String(seconds))}</p>
              <div>
                <Methods view={view} say={say} />
              </div>
            </div>
          </>
        )}
        {!view.code && !seconds && <Methods view={view} say={say} />}
      </div>
      <Blocks blocks={view.blocks} ad={seconds ? null : view.ad} language={view.language} />
      <Foot view={view} link={view.languageLink} {...(!view.code && { form: formOf(view) })}>
        {say('footer_text') && <Written text={say('footer_text')} />}
        <OpeningHours portal={view.portal} language={view.language} />
        {view.code && view.agreements.length > 0 && (
          <p>
            {view.agreements.map(({ kind, href }) => (
              <a key={kind} href={href}>
                {texts.agreements[kind]}
              </a>
            ))}
          </p>
        )}
      </Foot>
    </main>
  );
}

/** Everything that lets a guest in. */
function Methods({ view, say }: MethodsProps) {
  const [only, ...others] = view.methods;
  return (
    <>
      {only && !others.length && <MethodForm view={view} method={only} />}
      {others.length > 0 &&
        (view.portal?.styles.provider_layout === 'scroll' ? (
          <Tabs view={view} say={say} />
        ) : (
          <Folds view={view} say={say} />
        ))}
      {view.social.length > 0 && <Social view={view} />}
      {view.buy && (
        <a className="button quiet" href={view.buy}>
          {say('select_paid')}
        </a>
      )}
      {view.restore && (
        <a className="button plain" href={view.restore}>
          {textsIn(view.language).buy.restore}
        </a>
      )}
    </>
  );
}

/** The form that keeps what was typed; client/guest.ts exchanges it for that of the open method. */
const formOf = (view: SignInView): string => `form-${view.methods[openOf(view)]?.slug ?? 'social'}`;

/** Whether the page asks for a consent. Then it has one form, that of the open method, and one place for its boxes. */
const asks = (view: SignInView): boolean => view.agree !== null || view.marketing.length > 0;

/** The button that the Enter key presses; without it, Enter would press the first link that keeps the input. */
function EnterButton({ view }: { view: SignInView }) {
  if (view.code || !asks(view)) return null;
  return <button type="submit" form={formOf(view)} className="enter" tabIndex={-1} aria-hidden="true" />;
}

/** A button for each OpenID provider, below the portal's methods. */
function Social({ view }: { view: SignInView }) {
  const texts = textsIn(view.language);
  const shared = asks(view) && view.methods.length > 0;
  const wordsFor = (label: string) => texts.social.goOn.replace('{name}', label);
  const buttons = view.social.map(({ id, label }) => (
    <button
      key={id}
      type="submit"
      name="provider"
      value={id}
      className="button quiet"
      {...(shared && { form: formOf(view), formAction: view.socialAction, formNoValidate: true })}
    >
      {wordsFor(label)}
    </button>
  ));
  const names = wordsFor(view.social.map(it => it.label).join(', '));
  const shown = view.outside ? <Outside view={view.outside} names={names} texts={texts} buttons={buttons} /> : buttons;
  if (shared) return <div className="social">{shown}</div>;
  return (
    <form id="form-social" method="post" action={view.socialAction} className="social" data-busy={texts.connecting}>
      <input type="hidden" name="state" value={view.state} />
      <input type="hidden" name="lang" value={view.language} />
      <Consents view={view} texts={texts} />
      {shown}
    </form>
  );
}

interface OutsideProps {
  readonly view: OutsideView;
  /** What the buttons would do. */
  readonly names: string;
  readonly texts: Texts;
  readonly buttons: ReactNode;
}

/** For the window that the phone has opened by itself: how to continue in the browser, and the buttons to try it here. */
function Outside({ view, names, texts: { social }, buttons }: OutsideProps) {
  return (
    <>
      <p>
        <b>{names}</b>
      </p>
      <p>
        {social.outside} {view.link ? social.android : social.apple}
      </p>
      {view.link ? (
        <a className="button quiet" href={view.link}>
          {social.browser}
        </a>
      ) : (
        <p className="address">
          <bdi dir="ltr">{view.address}</bdi>
        </p>
      )}
      <details>
        <summary>{social.anyway}</summary>
        <div className="inside">{buttons}</div>
      </details>
    </>
  );
}

/** The heading is hidden if a logo names the place. */
const hasLogo = ({ portal }: SignInView) => portal?.styles.logo_type === 'active' && portal.styles.portal_logo !== null;

function MethodForm({ view, method }: { view: SignInView; method: MethodView }) {
  const texts = textsIn(view.language);
  const tried = view.chosen === method.slug || view.methods.length === 1;
  return (
    <form id={`form-${method.slug}`} method="post" action={view.action} data-busy={texts.connecting}>
      <input type="hidden" name="state" value={view.state} />
      <input type="hidden" name="method" value={method.slug} />
      <input type="hidden" name="lang" value={view.language} />
      <Plain />
      {method.fields.map(field => (
        <Field
          key={field.name}
          id={`${method.slug}-${field.name}`}
          field={field}
          texts={texts}
          value={view.values[field.name]}
          invalid={tried && view.wrong.includes(field.name)}
        />
      ))}
      <Consents view={view} method={method} texts={texts} />
      {method.confirms && <p className="lead">{texts.confirms}</p>}
      <button type="submit" className="button">
        {texts.connect}
      </button>
    </form>
  );
}

/** The advice about the code; a wrong or expired code is reported in the title. */
function CodeHead({ view, step }: { view: SignInView; step: CodeStep }) {
  const texts = textsIn(view.language);
  if (!isCodeRefused(view))
    return (
      <>
        <h1>{texts.code.title}</h1>
        <LeadText text={texts.code.text} name="phone" value={step.phone} />
        <Notice view={view} />
      </>
    );
  const [title, advice] = problemText(view.language, view.problem, view.problemValues);
  return (
    <div role="alert" id="problem">
      <h1>{title}</h1>
      <p className="lead">{advice}</p>
    </div>
  );
}

/** The button for another code has a form of its own, so that the field for the code is not required. */
function CodeForm({ view, step }: { view: SignInView; step: CodeStep }) {
  const texts = textsIn(view.language);
  const hidden = (
    <>
      <input type="hidden" name="state" value={view.state} />
      <input type="hidden" name="method" value={step.slug} />
      <input type="hidden" name="lang" value={view.language} />
      <Plain />
    </>
  );
  // An expired code cannot be entered, so the page offers another one.
  const over = view.problem === 'code_over';
  return (
    <>
      {!over && (
        <form method="post" action={view.action} data-busy={texts.connecting}>
          {hidden}
          <Field
            id={`${step.slug}-code`}
            field={step.field}
            texts={texts}
            value={undefined}
            invalid={view.wrong.includes('code')}
          />
          <button type="submit" className="button">
            {texts.connect}
          </button>
        </form>
      )}
      <form method="post" action={view.action}>
        {hidden}
        <input type="hidden" name="again" value="1" />
        <button type="submit" className={over ? 'button' : 'button plain'}>
          {texts.code.again}
        </button>
      </form>
      <a className="button plain" href={step.back}>
        {texts.code.other}
      </a>
    </>
  );
}

/** The index of the method that was tried, else of the first. */
const openOf = (view: SignInView): number =>
  Math.max(
    0,
    view.methods.findIndex(it => it.slug === view.chosen),
  );

interface MethodsProps {
  readonly view: SignInView;
  readonly say: (key: PortalMessageKey) => string;
}

/** An accordion; the browser keeps only one method open. */
function Folds({ view, say }: MethodsProps) {
  const open = openOf(view);
  return view.methods.map((method, index) =>
    asks(view) && index !== open ? (
      <p key={method.slug} className="fold">
        <GoButton to={method.slug} form={formOf(view)}>
          {say(messagesOf[method.slug][0])}
        </GoButton>
      </p>
    ) : (
      <details key={method.slug} name="method" open={index === open}>
        <summary>{say(messagesOf[method.slug][0])}</summary>
        <div className="inside">
          <p className="lead">{say(messagesOf[method.slug][1])}</p>
          <MethodForm view={view} method={method} />
        </div>
      </details>
    ),
  );
}

/** The tabs of a page with one form: each leads to the page with its method open. */
function Ways({ view, say }: MethodsProps) {
  const open = openOf(view);
  const method = view.methods[open]!;
  return (
    <>
      <div className="strip">
        {view.methods.map((it, index) =>
          index === open ? (
            <b key={it.slug} className="tried" aria-current="true">
              {say(messagesOf[it.slug][0])}
            </b>
          ) : (
            <GoButton key={it.slug} to={it.slug} form={formOf(view)}>
              {say(messagesOf[it.slug][0])}
            </GoButton>
          ),
        )}
      </div>
      <section className="shown" aria-label={say(messagesOf[method.slug][0])}>
        <p className="lead">{say(messagesOf[method.slug][1])}</p>
        <MethodForm view={view} method={method} />
      </section>
    </>
  );
}

/** A scrollable row of tabs, made of radio buttons so that it works without script. */
function Tabs({ view, say }: MethodsProps) {
  if (asks(view)) return <Ways view={view} say={say} />;
  const open = openOf(view);
  return (
    <div className="tabs">
      {view.methods.map((method, index) => (
        <input
          key={method.slug}
          type="radio"
          name="shown"
          id={`tab-${index}`}
          className={`tab-${index}`}
          defaultChecked={index === open}
          aria-label={say(messagesOf[method.slug][0])}
        />
      ))}
      <div className="strip" aria-hidden="true">
        {view.methods.map((method, index) => (
          // Without script the page cannot scroll to the tried method, so it comes first.
          <label
            key={method.slug}
            htmlFor={`tab-${index}`}
            className={index > 0 && index === open ? 'tried' : undefined}
          >
            {say(messagesOf[method.slug][0])}
          </label>
        ))}
      </div>
      {view.methods.map((method, index) => (
        <section key={method.slug} className={`panel panel-${index}`} aria-label={say(messagesOf[method.slug][0])}>
          <p className="lead">{say(messagesOf[method.slug][1])}</p>
          <MethodForm view={view} method={method} />
        </section>
      ))}
    </div>
  );
}
