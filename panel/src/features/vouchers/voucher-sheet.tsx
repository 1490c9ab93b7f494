import { cardTexts, signInText, validityIn } from '@portico/contract/card-texts.ts';
import { directionOf } from '@portico/contract/portal-languages.ts';
import { wifiCode } from '@portico/contract/voucher-code.ts';
import type { VoucherBatch, VoucherCard, VoucherDesk } from '@portico/contract/vouchers.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/vouchers/voucher-sheet.module.css';
import { tenant } from '#lib/tenant.ts';
import { QrCode } from '#ui/qr-code.tsx';

export type CardSettings = VoucherDesk['card'];
export type Paper = CardSettings['paper'];
export type CardBatch = Pick<VoucherBatch, 'name' | 'location' | 'valid_for' | 'valid_until'>;

interface Props {
  cards: readonly VoucherCard[];
  batch: CardBatch;
  settings: CardSettings;
  paper: Paper;
}

/** Vouchers as they are printed. */
export function VoucherSheet({ cards, batch, settings, paper }: Props) {
  return (
    <ul className={classes.sheet} data-paper={paper} data-printed>
      {cards.map(card => (
        <VoucherPaper key={card.id} card={card} batch={batch} settings={settings} paper={paper} />
      ))}
    </ul>
  );
}

interface CardProps extends Omit<Props, 'cards'> {
  card: VoucherCard;
}

/** One voucher in the guest's language. A label has no room for the code of the Wi-Fi. */
function VoucherPaper({ card, batch, settings, paper }: CardProps) {
  const { t } = useTranslation('vouchers');
  const { ssid, wifi_password: password, language, text, logo } = settings;
  const words = cardTexts(language);
  const { brand, landing } = tenant();
  const joins = !!ssid && paper !== 'label';
  return (
    <li className={classes.card} lang={language} dir={directionOf(language)}>
      <header className={classes.head}>
        {logo && landing.logo.src && paper !== 'label' && (
          <img className={classes.logo} src={landing.logo.src} alt={brand.name} />
        )}
        <strong>{batch.location.name}</strong>
        <span>{words.title}</span>
      </header>
      <dl className={classes.facts}>
        {ssid && (
          <>
            <dt>{words.network}</dt>
            <dd>
              <bdi>{ssid}</bdi>
            </dd>
            {password && (
              <>
                <dt>{words.password}</dt>
                <dd>
                  <bdi dir="ltr">{password}</bdi>
                </dd>
              </>
            )}
          </>
        )}
        <dt>{words.code}</dt>
        <dd className={classes.code}>
          <bdi dir="ltr">{card.code}</bdi>
        </dd>
      </dl>
      <div className={classes.codes}>
        {joins && (
          <figure>
            <QrCode text={wifiCode(ssid, password)} label={t('card.wifiCode', { name: ssid })} />
            <figcaption>{words.join}</figcaption>
          </figure>
        )}
        <figure>
          <QrCode text={card.sign_in_url} label={t('card.signInCode', { number: card.number })} />
          <figcaption>{signInText(language, { isSecond: joins })}</figcaption>
        </figure>
      </div>
      <footer className={classes.foot}>
        {validityIn(language, batch).map(line => (
          <span key={line}>{line}</span>
        ))}
        {text && <span>{text}</span>}
        <small dir="ltr">
          {batch.name} · {card.number}
        </small>
      </footer>
    </li>
  );
}
