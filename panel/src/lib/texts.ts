import 'i18next';
import type common from '#lib/common.en.json';

/**
 * The English texts by namespace, with which the compiler checks every key. A feature adds its own in its routes file:
 * `declare module '#lib/texts.ts' { interface Texts { … } }`. At run time i18n.ts finds the files by their names.
 */
export interface Texts {
  common: typeof common;
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
  }
}
