export { pictureUrls } from './picture-urls.ts';
export { keepImage } from './portal-images.service.ts';
export { countPortals } from './portals.queries.ts';
