import type { Mutant } from './mutant.ts';

const features = 'server/src/features';
const cloudHotels = `${features}/guests/sign-in/methods/cloud-hotels.test.ts`;

/** Guests at the portal, hotel systems, surveys and advertisements. */
export const ofGuests: readonly Mutant[] = [
  {
    wrong: 'the hash of a password is taken for the password',
    file: 'server/src/lib/guest-password.ts',
    from: 'if (!text.startsWith(mark)) return { right: typed.is(text) };',
    to: 'if (!text.startsWith(mark) || typed.is(text.slice(1))) return { right: true };',
    test: 'server/src/lib/foreign-password.test.ts',
    title: 'is kept apart from passwords, and becomes one with the first right guess',
  },
  {
    wrong: 'a stay without a document number accepts any',
    file: `${features}/guests/sign-in/methods/room-number.ts`,
    from: 'citizen_id !== null && sameNumber',
    to: 'citizen_id === null || sameNumber',
    test: `${features}/guests/sign-in/methods/room-number.test.ts`,
    title: 'without a document number, birth date or departure on record',
  },
  {
    wrong: 'a stay without a birth date accepts any',
    file: `${features}/guests/sign-in/methods/room-number.ts`,
    from: 'birth_date !== null && app',
    to: 'birth_date === null || app',
    test: `${features}/guests/sign-in/methods/room-number.test.ts`,
    title: 'without a document number, birth date or departure on record',
  },
  {
    wrong: 'a request of a stranger counts as a click on an advertisement',
    file: `${features}/guests/surveys/advertisements.ts`,
    from: 'if (await findOnline(tx, deviceId, sessionOf(context, open)))',
    to: 'if (open)',
    test: `${features}/guests/surveys/advertisements.test.ts`,
    title: 'lead guests who are online to their link',
  },
  {
    wrong: 'every click of a guest counts',
    file: `${features}/portals/survey-results.queries.ts`,
    from: 'do update set clicked = true where not g.clicked',
    to: 'do update set clicked = true',
    test: `${features}/guests/surveys/advertisements.test.ts`,
    title: 'lead guests who are online to their link',
  },
  {
    wrong: 'the tenth digit of a citizen id is not checked',
    file: 'contract/src/visitors.ts',
    from: 'digits[9] === tenth && ',
    to: '',
    test: 'contract/src/visitors.test.ts',
    title: 'a citizen id has eleven digits',
  },
  {
    wrong: 'a location shows the portal of another one in a period',
    file: `${features}/locations/locations.service.ts`,
    from: 'if (wrong !== undefined) throw invalid({ [`portal_periods.${wrong}.portal_id`]',
    to: 'if (wrong === -1) throw invalid({ [`portal_periods.${wrong}.portal_id`]',
    test: `${features}/guests/periods.test.ts`,
    title: 'is refused with its field if it overlaps, is incomplete, or its portal is of others',
  },
  {
    wrong: 'a charge in doubt is sent to a hotel in the cloud without a look at the bill',
    file: `${features}/integrations/cloud/postings.ts`,
    from: 'charge.in_doubt && (await hotel.isBooked(posting))',
    to: 'false',
    test: cloudHotels,
    title: 'come to the bill once, though the answer is lost',
  },
  {
    wrong: 'a stranger has a hotel in the cloud read',
    file: `${features}/integrations/cloud/hook.ts`,
    from: ' || !isSecretOf(app, at, secret)',
    to: '',
    test: cloudHotels,
    title: 'is read at once after a report, which is not believed; a stranger causes nothing',
  },
  {
    wrong: 'all guests of a hotel in the cloud lose their access when its list is empty once',
    file: `${features}/integrations/cloud/link.ts`,
    from: 'if (isSudden && ',
    to: 'if (!isSudden && ',
    test: cloudHotels,
    title: 'that suddenly has no guests is not believed',
  },
  {
    wrong: 'a list of guests that changed between two pages is believed',
    file: `${features}/integrations/cloud/apaleo.ts`,
    from: 'if (isLast && found.size !== count)',
    to: 'if (isLast && found.size > count)',
    test: cloudHotels,
    title: 'whose list changes between two pages is read again, and loses no guest',
  },
  {
    wrong: 'an address that a provider calls unverified in words is taken',
    file: `${features}/integrations/openid/sign-in.ts`,
    from: "[false, 'false', 0, '0'].includes",
    to: '[false].includes',
    test: `${features}/guests/social/social.test.ts`,
    title: 'is identified by its account and not by its e-mail address',
  },
];
