import type { MenuView } from '@portico/contract/menu-view.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { withSizes } from '../picture-sizes.ts';
import css from './menu.css?inline';
import { MenuPage } from './menu-page.tsx';
import { menuTexts } from './menu-texts.ts';
import { menuThemeCss } from './menu-theme.ts';

function Document({ view }: { view: MenuView }) {
  return (
    <html lang={view.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <title>{`${menuTexts[view.language].menu} · ${view.locationName}`}</title>
        <style
          nonce={view.nonce}
          dangerouslySetInnerHTML={{ __html: menuThemeCss(view.brand.color, view.look) + css }}
        />
        <script src={view.script} type="module" />
      </head>
      <body>
        <MenuPage view={view} />
      </body>
    </html>
  );
}

/** The public menu as an HTML document. */
export const renderMenu = (view: MenuView): string =>
  `<!doctype html>${withSizes(renderToStaticMarkup(<Document view={view} />), view.sizes)}`;
