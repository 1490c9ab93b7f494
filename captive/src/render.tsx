import type { GuestView, Renderer } from '@portico/contract/guests.ts';
import { defaultStyles } from '@portico/contract/portal-default-styles.ts';
import { directionOf } from '@portico/contract/portal-languages.ts';
import { wording } from '@portico/contract/portal-messages.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import adCss from './ad.css?inline';
import blocksCss from './blocks.css?inline';
import buyCss from './buy.css?inline';
import { fontFiles } from './look.ts';
import mailCss from './mail.css?inline';
import { AgreementPage } from './pages/agreement-page.tsx';
import { AwayPage } from './pages/away-page.tsx';
import { BuyPage, buyTitle } from './pages/buy-page.tsx';
import { ConfirmEmailPage } from './pages/confirm-email-page.tsx';
import { ConnectPage } from './pages/connect-page.tsx';
import { DataPage } from './pages/data-page.tsx';
import { FullPage } from './pages/full-page.tsx';
import { HandOverPage } from './pages/hand-over-page.tsx';
import { OnlinePage } from './pages/online-page.tsx';
import { PassPage } from './pages/pass-page.tsx';
import { ProblemPage } from './pages/problem-page.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';
import { SurveyPage } from './pages/survey-page.tsx';
import { isCodeRefused, problemText } from './parts/problem-text.ts';
import { laterOf, reloadOfPage } from './parts/reload-of.ts';
import { withSizes } from './picture-sizes.ts';
import richTextCss from './rich-text.css?inline';
import css from './styles.css?inline';
import surveyCss from './survey.css?inline';
import { speaking, textsIn } from './texts/texts.ts';
import { darkened, followsDevice, nightColour, smallPhoto, themeCss } from './theme.ts';
import waitCss from './wait.css?inline';

function Page({ view }: { view: GuestView }) {
  return (
    <>
      <div className="backdrop" />
      <div className="sky" />
      {view.page === 'away' && <AwayPage view={view} />}
      {view.page === 'sign-in' && <SignInPage view={view} />}
      {view.page === 'problem' && <ProblemPage view={view} />}
      {view.page === 'connect' && <ConnectPage view={view} />}
      {view.page === 'online' && <OnlinePage view={view} />}
      {view.page === 'confirm-email' && <ConfirmEmailPage view={view} />}
      {view.page === 'data' && <DataPage view={view} />}
      {view.page === 'full' && <FullPage view={view} />}
      {view.page === 'hand-over' && <HandOverPage view={view} />}
      {view.page === 'survey' && <SurveyPage view={view} />}
      {view.page === 'agreement' && <AgreementPage view={view} />}
      {view.page === 'pass' && <PassPage view={view} />}
      {view.page === 'buy' && <BuyPage view={view} />}
    </>
  );
}

function titleOf(view: GuestView): string {
  const texts = textsIn(view.language);
  if (view.page === 'sign-in' && isCodeRefused(view))
    return problemText(view.language, view.problem, view.problemValues)[0];
  if (view.page === 'sign-in' && view.code) return texts.code.title;
  if (view.page === 'sign-in') return wording(view.portal?.messages ?? {}, 'welcome_message_title', view.language);
  if (view.page === 'problem') return problemText(view.language, view.problem, view.problemValues)[0];
  if (view.page === 'pass') return texts.pass.title;
  if (view.page === 'away') return texts.social.title.replace('{name}', view.provider);
  if (view.page === 'connect') return view.tried ? texts.noAnswer[0] : texts.online.almost;
  if (view.page === 'agreement') return texts.agreements[view.kind];
  if (view.page === 'survey') return texts.survey.title;
  if (view.page === 'full') return texts.full.title;
  if (view.page === 'hand-over') return view.way === 'in' ? texts.handOver.title : texts.handOver.leave;
  if (view.page === 'confirm-email') return view.done ? texts.mail.done : texts.mail.title;
  if (view.page === 'data') return texts.data.title;
  if (view.page === 'buy') return buyTitle(view);
  return view.online ? texts.online.title : texts.online.almost;
}

/** Rules that show the panel of the checked radio button, one for each method. */
const tabs = (methods: readonly unknown[]): string =>
  methods
    .map(
      (_, i) =>
        `.tab-${i}:checked~.panel-${i}{display:block}.tab-${i}:checked~.strip label:nth-child(${i + 1}){background:var(--primary);color:var(--on-primary);border-color:var(--primary)}.tab-${i}:focus-visible~.strip label:nth-child(${i + 1}){outline:3px solid var(--link);outline-offset:2px}`,
    )
    .join('');

/** Styles of some pages only, to keep the first view small. */
function moreCss(view: GuestView): string {
  if (view.page === 'agreement' || view.page === 'data') return richTextCss;
  if (view.page === 'buy') return richTextCss + buyCss;
  if (view.page === 'survey' || view.page === 'full') return surveyCss;
  // Longer than any router takes on a good network, and shorter than guests wait.
  if (view.page === 'connect') return `:root{--wait:8s}${waitCss}`;
  if (view.page !== 'sign-in' && view.page !== 'online') return '';
  const own =
    view.page === 'online' ? (view.confirm ? mailCss : '') : view.methods.length > 1 ? tabs(view.methods) : '';
  const isText = view.blocks.some(({ kind }) => kind === 'text');
  const wait = view.ad?.seconds ? `:root{--wait:${view.ad.seconds}s}${waitCss}` : '';
  return own + wait + (view.ad ? adCss : '') + (isText ? richTextCss : '') + (view.blocks.length ? blocksCss : '');
}

function cssOf(view: GuestView, preview: boolean, inDark = false): string {
  const theme = themeCss(
    view.portal?.styles ?? { ...defaultStyles, background_color: '#e9edf4', background_type: 'color' },
    inDark,
  );
  // The theme comes after the common rules, which a layout changes.
  const page = css + theme + moreCss(view) + (view.portal?.styles.custom_css ?? '');
  // A font that the editor's user has just chosen may arrive late.
  return preview ? page.replaceAll('font-display:optional', 'font-display:swap') : page;
}

/** The document around the page, with its fonts. */
function Look({ view: { portal, language } }: { view: GuestView }) {
  if (!portal) return null;
  const { theme_color, favicon } = portal.styles;
  const photo = smallPhoto(portal.styles);
  return (
    <>
      {theme_color && followsDevice(portal.styles) && (
        <meta name="theme-color" media="(prefers-color-scheme:dark)" content={nightColour(theme_color)} />
      )}
      {theme_color && <meta name="theme-color" content={theme_color} />}
      {favicon && <link rel="icon" href={favicon} />}
      {/* It is the largest part of the first view, and would else be found last, in the styles. */}
      {photo && <link rel="preload" as="image" href={photo} media="(max-width:47.99rem)" fetchPriority="high" />}
      {fontFiles(portal.styles, language).map(file => (
        <link key={file} rel="preload" as="font" type="font/woff2" href={file} crossOrigin="" />
      ))}
    </>
  );
}

interface DocumentProps {
  readonly view: GuestView;
  readonly panel?: { origin: string; script: string };
}

function Document({ view, panel }: DocumentProps) {
  const title = [titleOf(view), view.locationName].filter(Boolean).join(' · ');
  const reload = reloadOfPage(view);
  const later = laterOf(view);
  return (
    <html lang={view.language} dir={directionOf(view.language)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <Look view={view} />
        {/* With script, client/guest.ts reloads the page. */}
        {reload && (
          <noscript>
            <meta httpEquiv="refresh" content={`3;url=${reload}`} />
          </noscript>
        )}
        {later && (
          <noscript>
            <meta httpEquiv="refresh" content={`${later.seconds};url=${later.href}`} />
          </noscript>
        )}
        {view.page === 'connect' && !view.tried && <meta httpEquiv="refresh" content={`0;url=${view.href}`} />}
        {view.page === 'away' && <meta httpEquiv="refresh" content={`0;url=${view.href}`} />}
        <style nonce={view.nonce} dangerouslySetInnerHTML={{ __html: cssOf(view, panel !== undefined) }} />
        <script src={view.script} type="module" />
        {panel && (
          <script
            src={panel.script}
            type="module"
            data-panel={panel.origin}
            data-portal={view.portal?.id}
            data-sells={view.page === 'sign-in' && view.buy ? '' : undefined}
          />
        )}
      </head>
      <body>
        <Page view={view} />
      </body>
    </html>
  );
}

const whole = (props: DocumentProps) =>
  speaking(
    props.view.portal?.page,
    () => `<!doctype html>${withSizes(renderToStaticMarkup(<Document {...props} />), props.view.portal?.sizes)}`,
  );

export const render: Renderer['render'] = view => whole({ view });

export const renderParts: Renderer['renderParts'] = (view, dark = false) => {
  const { portal } = view;
  // A page that does not follow the phone looks the same there.
  const darkens = dark && portal !== null && followsDevice(portal.styles);
  const shown = darkens ? { ...view, portal: { ...portal, styles: darkened(portal.styles) } } : view;
  return speaking(portal?.page, () => ({
    css: cssOf(view, true, dark),
    body: withSizes(renderToStaticMarkup(<Page view={shown} />), portal?.sizes),
  }));
};

export const renderPreview: Renderer['renderPreview'] = (view, panel) => whole({ view, panel });

export { renderMenu } from './menu/render-menu.tsx';
