import type { Page } from '@playwright/test';

/** Collects console errors of the browser: script errors and violations of the security policy. */
export function watchConsole(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    // Without TLS the browser ignores this header and reports it.
    if (message.text().startsWith('The Cross-Origin-Opener-Policy header has been ignored')) return;
    // React logs a screen that could not be loaded because the server cannot be reached.
    if (message.text().startsWith('Unreachable')) return;
    // The browser itself logs every 4xx answer, such as one to a wrong password.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  return complaints;
}
