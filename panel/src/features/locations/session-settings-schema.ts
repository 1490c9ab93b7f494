import { locationForm } from '@portico/contract/locations.ts';
import { type SessionField, sessionFields } from '#features/locations/session-fields.ts';

export const sessionSettings = locationForm
  .pick(Object.fromEntries(sessionFields.map(field => [field, true])) as Record<SessionField, true>)
  .required();
