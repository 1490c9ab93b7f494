import type { MenuProduct, MenuSection, MenuView } from '@portico/contract/menu-view.ts';
import { menuTexts } from './menu-texts.ts';
import { ProductCard } from './product-card.tsx';

const languageNames = { tr: 'Türkçe', en: 'English' } as const;

/** An address within the menu. Its query is never empty, as that would count as a scan of the code. */
const linkTo = ({ path }: MenuView, query: Record<string, string>) => `${path}?${new URLSearchParams(query)}`;

/** The text that the script's search matches. */
export const wordsOf = ({ title, description, ingredients }: MenuProduct) =>
  [title, description, ...ingredients].join(' ');

export function MenuPage({ view }: { view: MenuView }) {
  const texts = menuTexts[view.language];
  return (
    <>
      <Head view={view} />
      <main>
        <form action={view.path} role="search">
          <input
            type="search"
            name="q"
            defaultValue={view.search}
            maxLength={60}
            placeholder={texts.search}
            aria-label={texts.search}
            // The script can only search if the page contains all products.
            data-live={view.chosen === undefined && !view.search ? '' : undefined}
          />
          <button type="submit">{texts.find}</button>
        </form>
        <Categories view={view} />
        {view.sections.map((section, index) => (
          <Section key={section.id ?? 'none'} view={view} section={section} first={index === 0} />
        ))}
        <p className="none" role="status" data-nothing hidden={view.sections.length > 0}>
          {view.search || view.sections.length > 0 ? texts.nothing : texts.empty}
        </p>
      </main>
      <footer>
        <nav aria-label={texts.languages}>
          {(['tr', 'en'] as const).map(it =>
            it === view.language ? (
              <b key={it} lang={it} aria-current="true">
                {languageNames[it]}
              </b>
            ) : (
              <a key={it} lang={it} href={linkTo(view, { lang: it })} rel="nofollow">
                {languageNames[it]}
              </a>
            ),
          )}
        </nav>
        <p>
          {texts.poweredBy} <bdi>{view.brand.name}</bdi>
        </p>
      </footer>
    </>
  );
}

function Head({ view }: { view: MenuView }) {
  const texts = menuTexts[view.language];
  return (
    <header>
      {/* The venue's name stands beside it. */}
      {view.brand.logo && <img src={view.brand.logo} alt="" />}
      <div>
        <h1>
          <bdi>{view.locationName}</bdi>
        </h1>
        <p>{view.deskName ? `${texts.desk} ${view.deskName}` : texts.menu}</p>
      </div>
      {/* Without a choice the page follows the device's setting, and the style sheet shows the option that differs from it. */}
      {view.look !== 'dark' && <SchemeLink view={view} to="dark" />}
      {view.look !== 'light' && <SchemeLink view={view} to="light" />}
    </header>
  );
}

const drawings = {
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
} as const;

function SchemeLink({ view, to }: { view: MenuView; to: 'light' | 'dark' }) {
  return (
    <a
      className={view.look ? 'look' : `look to-${to}`}
      href={linkTo(view, { look: to })}
      rel="nofollow"
      aria-label={menuTexts[view.language][to]}
    >
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
        <path d={drawings[to]} strokeLinejoin="round" strokeLinecap="round" />
      </svg>
    </a>
  );
}

function Categories({ view }: { view: MenuView }) {
  const texts = menuTexts[view.language];
  if (view.search)
    return (
      <nav className="categories" aria-label={texts.categories}>
        <a href={linkTo(view, { c: '' })}>{texts.all}</a>
      </nav>
    );
  if (view.categories.length < 2) return null;
  return (
    <nav className="categories" aria-label={texts.categories}>
      {view.categories.map(({ id, title }) => (
        <a
          key={id ?? 'none'}
          href={view.chosen === undefined ? `#${anchor(id)}` : linkTo(view, { c: id ?? 'none' })}
          aria-current={view.chosen === id ? 'true' : undefined}
        >
          {title || texts.others}
        </a>
      ))}
    </nav>
  );
}

const anchor = (id: string | null) => `c-${id ?? 'none'}`;

function Section({ view, section, first }: { view: MenuView; section: MenuSection; first: boolean }) {
  const texts = menuTexts[view.language];
  const alone = view.categories.length < 2 && section.id === null;
  return (
    <section id={anchor(section.id)} aria-labelledby={`${anchor(section.id)}-title`}>
      <h2 id={`${anchor(section.id)}-title`}>
        {section.title || (view.search ? texts.found : alone ? texts.menu : texts.others)}
      </h2>
      {section.description && <p className="about">{section.description}</p>}
      <ul>
        {section.products.map((product, index) => (
          <ProductCard
            key={product.id}
            product={product}
            language={view.language}
            words={wordsOf(product)}
            // Pictures above the fold are not lazy.
            lazy={!first || index > 3}
          />
        ))}
      </ul>
    </section>
  );
}
