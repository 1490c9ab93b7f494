export { pictureUrls } from './picture-urls.ts';
export { pictureJobs } from './pictures.jobs.ts';
export { keepPictures, readPicture } from './pictures.service.ts';
export { keepImage } from './portal-images.service.ts';
export { countPortals, givesProfile, keepPortal, replacePortalProfile } from './portals.queries.ts';
export { opensPreview } from './preview-link.ts';
export type { NamedQuestion } from './survey-parts.ts';
export {
  countResponsesFrom,
  countSurvey,
  countViews,
  eraseResponses,
  findGuestSurvey,
  forgetAnonymousResponses,
  forgetResponseAddresses,
  type ShownAt,
  wasAsked,
} from './survey-results.queries.ts';
export { keepResponse } from './survey-results.service.ts';
