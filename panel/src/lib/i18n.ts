import type { Language } from '@portico/contract/errors.ts';
import i18next, { type BackendModule, type ReadCallback } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { language, rememberLanguage } from '#lib/language.ts';

/** The texts of one file: strings, or objects of strings. */
export type Texts = Record<string, unknown>;

/** Loads the texts of each `<namespace>.<language>.json`. */
const loaders = new Map<string, () => Promise<Texts>>();

/** Adds text files, found with `import.meta.glob`. Each file loads when its feature is first opened. */
export function addTexts(files: Record<string, () => Promise<Texts>>): void {
  for (const [path, load] of Object.entries(files)) loaders.set(path.split('/').at(-1) ?? path, load);
}

// Only the texts of the screens before sign-in. The panel adds the others, whose list would make the sign-in larger.
addTexts(import.meta.glob<Texts>(['./*.{en,tr}.json', '../features/auth/*.{en,tr}.json'], { import: 'default' }));

async function read(lng: string, namespace: string, done: ReadCallback): Promise<void> {
  try {
    const load = loaders.get(`${namespace}.${lng}.json`);
    if (!load) throw new Error(`No texts for ${namespace} in ${lng}`);
    done(null, await load());
  } catch (error) {
    done(error as Error, false);
  }
}

const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (lng, namespace, done) => void read(lng, namespace, done),
};

/** Both languages have the same keys (texts.test.ts checks it), so no fallback language is needed. */
export const startTranslations = (namespaces: readonly string[]) =>
  i18next
    .use(lazyFiles)
    .use(initReactI18next)
    .init({
      lng: language(),
      fallbackLng: false,
      ns: [...namespaces],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
    });

/**
 * Loads the texts of a feature. Called in route loaders, so that texts and code load in parallel. Texts that failed are
 * tried again; until the server can be reached, `watchConnection` asks for them.
 */
export async function loadTexts(...namespaces: string[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
  // i18next remembers a failure and would not ask again.
  const missing = namespaces.filter(each => !i18next.hasResourceBundle(i18next.language, each));
  if (missing.length > 0) await i18next.reloadResources(i18next.language, missing);
}

export async function changeLanguage(chosen: Language): Promise<void> {
  // First, because requests caused by the change must already use the new language.
  rememberLanguage(chosen);
  await i18next.changeLanguage(chosen);
}
