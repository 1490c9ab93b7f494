import type { Page } from '@playwright/test';

/** Collects what the browser complains of: errors of the page's scripts, and of its security policy. */
export function watchConsole(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    // Where there is no TLS the browser says that it leaves this header out.
    if (message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored')) return;
    // A refused call (a wrong password, a missing thing) is logged by the browser itself, and is no fault of ours.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return complaints;
}
