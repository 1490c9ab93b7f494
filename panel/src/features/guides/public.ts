export { guideSlugs } from '#features/guides/guide-slugs.ts';
