export { compiledCss } from './custom-css.ts';
export { pictureUrls } from './picture-urls.ts';
export { pictureJobs } from './pictures.jobs.ts';
export { readPicture, savePictures } from './pictures.service.ts';
export { previewedPage } from './portal-blocks.ts';
export { draw, saveImage } from './portal-images.service.ts';
export { adOptionsJson } from './portal-nested.queries.ts';
export { countPortals, findPortals, givesProfile, keepPortals, replacePortalProfile } from './portals.queries.ts';
export { isValidPreviewToken } from './preview-link.ts';
export type { NamedQuestion } from './survey-parts.ts';
export {
  addPastFigures,
  countClick,
  countResponsesFrom,
  countSurvey,
  countViews,
  deleteAnonymousResponses,
  deleteResponseAddresses,
  eraseAdGuest,
  eraseResponses,
  findGuestSurvey,
  forgetAdGuests,
  lockAnswersOf,
  noteAsked,
  type ShownAt,
  wasAsked,
} from './survey-results.queries.ts';
export { saveResponse } from './survey-results.service.ts';
