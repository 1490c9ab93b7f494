import { useTranslation } from 'react-i18next';

/** The texts of the screens before sign-in; suspends until they have loaded. */
export const useAuthTexts = () => useTranslation(['auth', 'common']);
