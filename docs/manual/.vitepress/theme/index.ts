import type { Theme } from 'vitepress';
// With the system's fonts: those of the default theme are half a megabyte.
import theme from 'vitepress/theme-without-fonts';
import { foldedSearch } from '../fold.ts';
import './style.css';

export default {
  extends: theme,
  enhanceApp: ({ siteData }) => {
    siteData.value.themeConfig.search.options.miniSearch = foldedSearch;
  },
} satisfies Theme;
