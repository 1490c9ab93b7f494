import type { Portal, PortalForm } from '@portico/contract/portals.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const changed = (now: object, before: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([key, it]) => !same(it, (before as Record<string, unknown>)[key])));

/** The changed texts, by name and language. */
const changedTexts = (now: object, before: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(now)
      .map(([key, texts]: [string, object]) => [key, changed(texts, before[key] ?? {})] as const)
      .filter(([, texts]) => Object.keys(texts).length > 0),
  );

/** The fields that a form changed. Sending only those keeps changes that another screen makes to the same draft. */
export const changesOf = (
  { name, styles, providers, messages, agreements, page }: PortalForm,
  portal: Pick<Portal, 'name' | 'styles' | 'providers' | 'messages' | 'agreements' | 'page'>,
): PortalForm => ({
  ...(name !== undefined && name !== portal.name && { name }),
  ...(styles && { styles: changed(styles, portal.styles) }),
  ...(providers && !same(providers, portal.providers) && { providers }),
  ...(messages && { messages: changedTexts(messages, portal.messages) }),
  ...(page && { page: changed(page, portal.page) }),
  ...(agreements && { agreements: changedTexts(agreements, portal.agreements) }),
});
