import type { Portal, PortalForm } from '@portico/contract/portals.ts';

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const changed = (now: object, before: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(now).filter(([key, it]) => !same(it, (before as Record<string, unknown>)[key])));

/** Of texts by name and language, those that were changed. */
const changedTexts = (now: object, before: Record<string, object>) =>
  Object.fromEntries(
    Object.entries(now)
      .map(([key, texts]: [string, object]) => [key, changed(texts, before[key] ?? {})] as const)
      .filter(([, texts]) => Object.keys(texts).length > 0),
  );

/** What a form changes of its portal. What is not sent stays as it is, also in a draft that another screen works on. */
export const changesOf = (
  { name, styles, providers, messages, agreements }: PortalForm,
  portal: Portal,
): PortalForm => ({
  ...(name !== undefined && name !== portal.name && { name }),
  ...(styles && { styles: changed(styles, portal.styles) }),
  ...(providers && !same(providers, portal.providers) && { providers }),
  ...(messages && { messages: changedTexts(messages, portal.messages) }),
  ...(agreements && { agreements: changedTexts(agreements, portal.agreements) }),
});
