export { type PictureUrls, pictureUrls } from './picture-urls.ts';
export { countPortals } from './portals.queries.ts';
