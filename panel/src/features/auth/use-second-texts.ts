import { useTranslation } from 'react-i18next';
import type second from '#features/auth/second.en.json';

declare module '#lib/texts.ts' {
  interface Texts {
    second: typeof second;
  }
}

/** The texts of passkeys and of the second step of a sign-in. Suspends until they have loaded. */
export const useSecondTexts = () => useTranslation(['second', 'auth', 'common']);
