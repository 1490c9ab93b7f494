import { useTranslation } from 'react-i18next';

/** The texts of the screens before sign-in; suspends until they are there. */
export const useAuthTexts = () => useTranslation(['auth', 'common']);
