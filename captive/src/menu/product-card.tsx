import type { MenuLanguage, MenuProduct } from '@portico/contract/menu-view.ts';
import { menuTexts } from './menu-texts.ts';

interface Props {
  readonly product: MenuProduct;
  readonly language: MenuLanguage;
  readonly words: string;
  readonly lazy: boolean;
}

const formats = new Map<string, Intl.NumberFormat>();

/** A price formatted for the language; whole amounts have no decimals. */
export function price(language: MenuLanguage, value: number, currency: string): string {
  const digits = Number.isInteger(value) ? 0 : 2;
  const key = `${language} ${currency} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: currency.toUpperCase(),
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formats.set(key, format);
  }
  return format.format(value);
}

export function ProductCard({ product, language, words, lazy }: Props) {
  const texts = menuTexts[language];
  const facts = [
    product.minutes && `${product.minutes} ${texts.minutes}`,
    product.calorie && `${product.calorie} kcal`,
  ].filter(Boolean);
  return (
    <li data-words={words}>
      {product.image && (
        <img
          src={product.image.small}
          srcSet={`${product.image.small} 320w, ${product.image.large} 1200w`}
          sizes="(min-width: 40rem) 7rem, 5.5rem"
          width={320}
          height={320}
          alt=""
          loading={lazy ? 'lazy' : undefined}
          decoding="async"
        />
      )}
      <div>
        <div className="head">
          <h3>{product.title}</h3>
          {product.price !== null && <span className="price">{price(language, product.price, product.currency)}</span>}
        </div>
        {product.description && <p>{product.description}</p>}
        {facts.length > 0 && <p>{facts.join(' · ')}</p>}
        {product.allergens.length > 0 && (
          <p className="allergens">
            <b>{texts.allergens}:</b> {product.allergens.join(', ')}
          </p>
        )}
        {(product.more || product.ingredients.length > 0) && (
          <details>
            <summary>{texts.more}</summary>
            {product.more && <p className="long">{product.more}</p>}
            {product.ingredients.length > 0 && (
              <p>
                <b>{texts.ingredients}:</b> {product.ingredients.join(', ')}
              </p>
            )}
          </details>
        )}
      </div>
    </li>
  );
}
