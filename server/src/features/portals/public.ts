export { pictureUrls } from './picture-urls.ts';
export { pictureJobs } from './pictures.jobs.ts';
export { readPicture, savePictures } from './pictures.service.ts';
export { saveImage } from './portal-images.service.ts';
export { countPortals, findPortals, givesProfile, keepPortal, replacePortalProfile } from './portals.queries.ts';
export { isValidPreviewToken } from './preview-link.ts';
export type { NamedQuestion } from './survey-parts.ts';
export {
  countResponsesFrom,
  countSurvey,
  countViews,
  deleteAnonymousResponses,
  deleteResponseAddresses,
  eraseResponses,
  findGuestSurvey,
  type ShownAt,
  wasAsked,
} from './survey-results.queries.ts';
export { saveResponse } from './survey-results.service.ts';
