import type { BuyView, OfferView, OrderView } from '@portico/contract/guests.ts';
import { type PortalMessageKey, wording } from '@portico/contract/portal-messages.ts';
import { money, percent } from '../amounts.ts';
import { Brand } from '../parts/brand.tsx';
import { Field } from '../parts/field.tsx';
import { Foot } from '../parts/foot.tsx';
import { GoButton } from '../parts/go-button.tsx';
import { InfoIcon, WarningIcon, WifiIcon } from '../parts/icons.tsx';
import { NoAnswer, Notice } from '../parts/notice.tsx';
import { Plain } from '../parts/plain.tsx';
import { reloadOf } from '../parts/reload-of.ts';
import { RichText } from '../parts/rich-text.tsx';
import { textsIn } from '../texts/texts.ts';

type Step<S extends BuyView['at']['step']> = Extract<BuyView['at'], { step: S }>;
type Say = (key: PortalMessageKey) => string;

/** The title of each step; the first one is the operator's text. */
export function buyTitle(view: BuyView): string {
  const { buy: texts } = textsIn(view.language);
  const { step } = view.at;
  return step === 'choose' ? wording(view.portal?.messages ?? {}, 'select_paid', view.language) : texts[step];
}

export function BuyPage({ view }: { view: BuyView }) {
  const texts = textsIn(view.language);
  const say: Say = key => wording(view.portal?.messages ?? {}, key, view.language);
  const { at } = view;
  const glyph =
    at.step === 'failed' ? (
      <WarningIcon className="glyph warning" />
    ) : at.step === 'elsewhere' ? (
      <InfoIcon className="glyph info" />
    ) : (
      <WifiIcon className="glyph" />
    );
  return (
    <main className="card" data-refresh={reloadOf(view)}>
      <Brand portal={view.portal} name={view.locationName} otherwise={glyph} />
      <div className="narrow">
        <h1>{buyTitle(view)}</h1>
        <Notice view={view} />
        <NoAnswer language={view.language} />
        {at.step === 'choose' && <Choose view={view} at={at} say={say} />}
        {at.step === 'confirm' && <Confirm view={view} at={at} say={say} />}
        {at.step === 'pay' && <Pay view={view} at={at} say={say} />}
        {at.step === 'charging' && (
          <>
            <p className="lead" role="status">
              {at.isSlow ? texts.buy.chargingLater : texts.buy.chargingText}
            </p>
            <Order view={view} order={at.order} say={say} />
            <a className="button quiet" href={at.refresh}>
              {texts.online.refresh}
            </a>
          </>
        )}
        {at.step === 'restore' && <Restore view={view} at={at} />}
        {at.step === 'elsewhere' && <p className="lead">{texts.buy.elsewhereText}</p>}
        {at.step === 'switching' && (
          <>
            <p className="lead" role="status">
              {texts.online.almostText}
            </p>
            <a className="button" href={at.refresh}>
              {texts.connect}
            </a>
          </>
        )}
        {at.step === 'failed' && at.again && (
          <a className="button" href={at.again}>
            {say('select_paid')}
          </a>
        )}
        {view.form && at.step !== 'pay' && at.step !== 'switching' && (
          <a className="button plain" href={view.form}>
            {texts.toForm}
          </a>
        )}
      </div>
      <Foot view={view} link={view.languageLink} {...(at.step === 'confirm' && { form: 'form-buy' })}>
        {view.locationName && (
          <p>
            <bdi>{view.locationName}</bdi>
          </p>
        )}
      </Foot>
    </main>
  );
}

function Choose({ view, at, say }: { view: BuyView; at: Step<'choose'>; say: Say }) {
  const { buy: texts } = textsIn(view.language);
  return (
    <>
      <RichText html={say('paid_information')} />
      {at.offers.map(offer => (
        <form key={offer.id} method="get" action={at.action} className="offer">
          {Object.entries(at.hidden).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="package" value={offer.id} />
          <Offer view={view} offer={offer} say={say} />
          <button type="submit" className="button">
            {texts.choose}
          </button>
        </form>
      ))}
      <a className="button plain" href={at.restore}>
        {texts.restore}
      </a>
    </>
  );
}

function Offer({ view, offer, say }: { view: BuyView; offer: OfferView; say: Say }) {
  const { language } = view;
  const fixed = offer.minDays === offer.maxDays;
  return (
    <>
      <h2>
        <bdi>{offer.name}</bdi>
      </h2>
      {offer.description && (
        <p>
          <bdi>{offer.description}</bdi>
        </p>
      )}
      <p className="price">
        {money(language, offer.price, offer.currency)} <small>{say('daily')}</small>
      </p>
      {fixed ? (
        offer.maxDays > 1 && (
          <p>
            {say('selected_paid_day')}: {offer.maxDays}
          </p>
        )
      ) : (
        <div className="field">
          <label htmlFor={`days-${offer.id}`}>
            {say('selected_paid_day')}{' '}
            <small>
              {offer.minDays}–{offer.maxDays}
            </small>
          </label>
          <div className="input">
            <input
              id={`days-${offer.id}`}
              name="days"
              type="number"
              inputMode="numeric"
              min={offer.minDays}
              max={offer.maxDays}
              required
              defaultValue={offer.minDays}
            />
          </div>
        </div>
      )}
    </>
  );
}

/** The purchase: package, days, price, tax and total. */
function Order({ view, order, say }: { view: BuyView; order: OrderView; say: Say }) {
  const { buy: texts } = textsIn(view.language);
  const { language } = view;
  const amount = (minor: number) => money(language, minor, order.currency);
  return (
    <dl>
      <div>
        <dt>
          <bdi>{order.name}</bdi>
        </dt>
        <dd>
          {amount(order.price)} · {say('daily')}
        </dd>
      </div>
      <div>
        <dt>{say('selected_paid_day')}</dt>
        <dd>{order.days}</dd>
      </div>
      {order.taxRate > 0 && (
        <div>
          <dt>{texts.tax.replace('{rate}', percent(language, order.taxRate))}</dt>
          <dd>{amount(order.tax)}</dd>
        </div>
      )}
      <div className="total">
        <dt>{say('total_paid_amount')}</dt>
        <dd>{amount(order.amount)}</dd>
      </div>
    </dl>
  );
}

const emailField = { name: 'email', type: 'email', autocomplete: 'email', inputmode: 'email' } as const;
const phoneField = { name: 'phone', type: 'tel', autocomplete: 'tel', inputmode: 'tel', optional: true } as const;

function Confirm({ view, at, say }: { view: BuyView; at: Step<'confirm'>; say: Say }) {
  const texts = textsIn(view.language);
  return (
    <>
      <Order view={view} order={at.order} say={say} />
      <form id="form-buy" method="post" action={at.action} data-busy={texts.connecting}>
        {/* The button that the Enter key presses; without it, Enter would open an agreement. */}
        <button type="submit" className="enter" tabIndex={-1} aria-hidden="true" />
        <input type="hidden" name="state" value={at.state} />
        <input type="hidden" name="lang" value={view.language} />
        <Field id="buy-email" field={emailField} texts={texts} value={at.email} invalid={at.wrong.includes('email')} />
        <Field id="buy-phone" field={phoneField} texts={texts} value={at.phone} invalid={at.wrong.includes('phone')} />
        <p className="lead">{texts.buy.receipt}</p>
        {at.agree && (
          <label className="agree">
            <input
              type="checkbox"
              name="agree"
              value={at.agree}
              required
              defaultChecked={at.agreed}
              aria-invalid={view.problem === 'agree_first' || undefined}
            />
            <span>
              {texts.agree} {at.agreements.map(kind => texts.agreements[kind]).join(', ')}
            </span>
          </label>
        )}
        {at.agree && (
          <p className="terms">
            {at.agreements.map(kind => (
              <GoButton key={kind} to={kind}>
                {texts.agreements[kind]}
              </GoButton>
            ))}
          </p>
        )}
        {at.room && <Room room={at.room} at={at} texts={texts} />}
        <button type="submit" className="button">
          {at.room && !at.byCard ? roomText(at.room, texts) : say('buy')}
        </button>
      </form>
      <a className="button quiet" href={at.change}>
        {say('change_paid')}
      </a>
    </>
  );
}

const roomField = { name: 'room_number', type: 'text', autocomplete: 'off' } as const;
const surnameField = { name: 'last_name', type: 'text', autocomplete: 'family-name' } as const;

const roomText = ({ known }: NonNullable<Step<'confirm'>['room']>, texts: ReturnType<typeof textsIn>) =>
  known === null ? texts.buy.toRoom : texts.buy.toKnownRoom.replace('{room}', known);

/** The charge to the hotel room: of the guest who is signed in, or of the one whose room and surname are typed. */
function Room({
  room,
  at,
  texts,
}: {
  room: NonNullable<Step<'confirm'>['room']>;
  at: Step<'confirm'>;
  texts: ReturnType<typeof textsIn>;
}) {
  const wrong = (name: 'room_number' | 'last_name') => at.wrong.includes(name);
  // A guest who pays by card leaves them empty.
  const required = !at.byCard;
  return (
    <>
      {at.byCard ? (
        <fieldset>
          <legend>{texts.buy.pay}</legend>
          <label className="agree">
            <input type="radio" name="pay" value="card" defaultChecked={!room.chosen} />
            <span>{texts.buy.byCard}</span>
          </label>
          <label className="agree">
            <input type="radio" name="pay" value="room" defaultChecked={room.chosen} />
            <span>{roomText(room, texts)}</span>
          </label>
        </fieldset>
      ) : (
        <input type="hidden" name="pay" value="room" />
      )}
      {room.known === null && (
        <div className={at.byCard ? 'of-room' : undefined}>
          <Field
            id="buy-room"
            field={roomField}
            texts={texts}
            value={room.number}
            invalid={wrong('room_number')}
            required={required}
          />
          <Field
            id="buy-surname"
            field={surnameField}
            texts={texts}
            value={room.surname}
            invalid={wrong('last_name')}
            required={required}
          />
        </div>
      )}
    </>
  );
}

function Pay({ view, at, say }: { view: BuyView; at: Step<'pay'>; say: Say }) {
  const { buy: texts } = textsIn(view.language);
  return (
    <>
      <p className="lead" role="status">
        {at.asked ? texts.notYet : texts.payText}
      </p>
      <Order view={view} order={at.order} say={say} />
      <a className="button" href={at.href}>
        {say('buy')}
      </a>
      <a className="button quiet" href={at.refresh}>
        {texts.havePaid}
      </a>
    </>
  );
}

const codeField = { name: 'voucher', type: 'text', autocomplete: 'off' } as const;

function Restore({ view, at }: { view: BuyView; at: Step<'restore'> }) {
  const texts = textsIn(view.language);
  const hidden = (
    <>
      <input type="hidden" name="state" value={at.state} />
      <input type="hidden" name="lang" value={view.language} />
      <Plain />
    </>
  );
  const named = { ...texts, fields: { ...texts.fields, voucher: texts.buy.code } };
  return (
    <>
      {at.sent && (
        <p className="done" role="status">
          {texts.buy.sent}
        </p>
      )}
      <form method="post" action={at.action} data-busy={texts.connecting}>
        {hidden}
        <Field id="receipt" field={codeField} texts={named} value={undefined} invalid={at.wrong.includes('voucher')} />
        <button type="submit" className="button">
          {texts.connect}
        </button>
      </form>
      <p className="or">{texts.buy.lost}</p>
      <form method="post" action={at.action}>
        {hidden}
        <div className="field">
          <label htmlFor="contact">{texts.buy.contact}</label>
          <div className="input">
            <input
              id="contact"
              name="contact"
              type="text"
              required
              maxLength={254}
              autoComplete="email"
              autoCapitalize="none"
              dir="ltr"
              defaultValue={at.typed}
              aria-invalid={at.wrong.includes('email') || undefined}
              aria-describedby={at.wrong.includes('email') ? 'problem' : undefined}
            />
          </div>
        </div>
        <button type="submit" className="button quiet">
          {texts.buy.sendAgain}
        </button>
      </form>
    </>
  );
}
