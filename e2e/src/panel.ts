import type { Page } from '@playwright/test';
import { type PanelLanguage, type PanelWords, panelWords } from './words.ts';

/** Prepares a page to open the panel signed in, in a language and a colour scheme. */
export async function enterPanel(
  page: Page,
  { token, language, dark = false }: { token: string; language: PanelLanguage; dark?: boolean },
): Promise<PanelWords> {
  await page.addInitScript(
    ([kept, chosen, scheme]) => {
      if (kept) localStorage.setItem('portico.token', kept);
      localStorage.setItem('portico.language', chosen);
      localStorage.setItem('portico.scheme', scheme);
    },
    [token, language, dark ? 'dark' : 'light'] as const,
  );
  return panelWords[language];
}

/** Opens a screen from the menu, which is a drawer on phones. */
export async function goTo(page: Page, words: PanelWords, screen: keyof PanelWords['nav']): Promise<void> {
  const opener = page.getByRole('button', { name: words.menu });
  const link = page.getByRole('navigation').getByRole('link', { name: words.nav[screen], exact: true });
  await opener.or(link).filter({ visible: true }).first().waitFor();
  if (await opener.isVisible()) await opener.click();
  await link.click();
  await page.getByRole('heading', { level: 1, name: words.nav[screen] }).waitFor();
}

/** Opens a screen as a link in the panel does: without loading the program again. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(async href => {
    // Set by TanStack Router.
    await window.__TSR_ROUTER__!.navigate({ href, ignoreBlocker: true });
    await new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }, path);
}

/** Presses a button or chooses a radio button. On phones some buttons are entries of the header's menu. */
export async function press(page: Page, name: string, words: PanelWords): Promise<void> {
  const target = page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('radio', { name }))
    .or(page.getByRole('menuitem', { name, exact: true }))
    .first();
  const menu = page.getByRole('button', { name: words.moreActions });
  await target.or(menu).first().waitFor();
  if (!(await target.isVisible()) && (await menu.isVisible())) await menu.click();
  await target.click();
}
