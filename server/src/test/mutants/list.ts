import { ofAccess } from './list.access.ts';
import { ofAccounting } from './list.accounting.ts';
import { ofBackups } from './list.backups.ts';
import { ofDatabase } from './list.database.ts';
import { ofEvidence } from './list.evidence.ts';
import { ofFeatures } from './list.features.ts';
import { ofFunctions } from './list.functions.ts';
import { ofGuests } from './list.guests.ts';
import { ofMoney } from './list.money.ts';
import { ofReach } from './list.reach.ts';
import { ofSchema } from './list.schema.ts';
import { ofScope } from './list.scope.ts';
import { ofSessions } from './list.sessions.ts';
import { ofTokens } from './list.tokens.ts';
import { ofWebhooks } from './list.webhooks.ts';
import type { Mutant } from './mutant.ts';

/** Rules whose tests need a database, which is too slow for Stryker, and SQL functions and policies, which Stryker does not know. */
export const mutants: readonly Mutant[] = [
  ...ofAccess,
  ...ofAccounting,
  ...ofBackups,
  ...ofDatabase,
  ...ofEvidence,
  ...ofFeatures,
  ...ofFunctions,
  ...ofGuests,
  ...ofMoney,
  ...ofReach,
  ...ofSchema,
  ...ofScope,
  ...ofSessions,
  ...ofTokens,
  ...ofWebhooks,
];
