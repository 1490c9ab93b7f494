import { StrictMode } from 'react';
import type { Root } from 'react-dom/client';
import { Providers } from '#app/providers.tsx';
import { isPublicPath, mailLink } from '#app/public-paths.ts';
import { startTranslations } from '#lib/i18n.ts';
import { endedByServer, leave, safeReturnPath, signInPath, token } from '#lib/session.ts';
import { loadTenant } from '#lib/tenant.ts';
import { withTimeout } from '#lib/with-timeout.ts';

/**
 * The screens before and after sign-in are two programs. The first needs neither router nor query cache, which keeps it below
 * 120 KB. Document 1, section 2.2 defines the program of each address.
 */
export async function start(root: Root): Promise<void> {
  const draw = (screen: React.ReactNode) =>
    root.render(
      <StrictMode>
        <Providers>{screen}</Providers>
      </StrictMode>,
    );
  try {
    const texts = startTranslations(['common']);
    const isLink = mailLink(location.pathname) !== undefined;
    if (token() && !isLink) {
      if (isPublicPath(location.pathname)) history.replaceState(null, '', '/');
      const [{ PanelApp }] = await withTimeout(Promise.all([import('#app/panel-app.tsx'), loadTenant(), texts]));
      draw(<PanelApp />);
      return;
    }
    if (!isLink && !isPublicPath(location.pathname)) {
      const here = location.pathname + location.search;
      history.replaceState(null, '', here === '/' ? signInPath : `${signInPath}?next=${encodeURIComponent(here)}`);
    }
    const [{ PublicApp }] = await withTimeout(Promise.all([import('#app/public-app.tsx'), loadTenant(), texts]));
    draw(<PublicApp onSignedIn={home => void enter(home)} />);
  } catch (error) {
    // The sign-in page is on its way.
    if (endedByServer()) return;
    console.error(error);
    const { Fatal } = await import('#app/fatal.tsx');
    draw(<Fatal />);
  }

  async function enter(home: string): Promise<void> {
    try {
      // Links from e-mails belong to the public program.
      if (mailLink(safeReturnPath().replace(/\?.*/, ''))) return location.assign(safeReturnPath());
      const { PanelApp } = await withTimeout(import('#app/panel-app.tsx'));
      history.replaceState(null, '', safeReturnPath(home));
      draw(<PanelApp />);
    } catch {
      if (token()) location.assign('/');
      else leave();
    }
  }
}
