import type { DataView } from '@portico/contract/guests.ts';

/** The page with own data as a file for other programs. */
export function ownDataFile(view: DataView): string {
  const file = {
    place: view.locationName,
    person: Object.fromEntries(view.person.map(({ field, value }) => [field, value])),
    known_since: view.since,
    remembered: view.remembered,
    surveys_answered: view.responses,
    accepted_terms: view.consents,
    news_and_offers: view.marketing
      .filter(it => it.givenAt !== null)
      .map(({ channel, text, recipient, givenAt }) => ({ channel, text, recipient, given_at: givenAt })),
    latest_sessions: view.sessions.map(({ mac, startedAt, endedAt, bytes }) => ({
      mac,
      started_at: startedAt,
      ended_at: endedAt,
      bytes,
    })),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}
