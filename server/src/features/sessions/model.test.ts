import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { testSeed } from '#test/seed.ts';
import { sessionHandlers } from './sessions.radius.ts';
import { differences, makePlaces } from './testing/model-run.ts';
import { anyVenue, type Venue } from './testing/venue.ts';

/** Random venues against the model. Many more of them: npm run model -- --runs=100000 */

const app = await startApp();
const apply = sessionHandlers(app).account;
const runs = Number(process.env['MODEL_RUNS'] ?? 150);
// Batches of many venues take less time for each.
const together = runs < 1000 ? 25 : 100;
const places = await makePlaces(app, together);
const seed = testSeed();

const several = fc.record({
  venues: fc.array(anyVenue, { minLength: together, maxLength: together }),
  silent: fc.integer({ min: 0, max: 12 }),
});

/** Leaves out actions as long as the venue still differs. fast-check would try all venues of the batch again and again. */
async function shortest(venue: Venue, silent: number): Promise<string | undefined> {
  const differs = async (it: Venue) => (await differences(app, apply, places, [it], silent))[0]?.what;
  let told = await differs(venue);
  for (let i = 0; told !== undefined && i < venue.actions.length; ) {
    const shorter = { ...venue, actions: venue.actions.toSpliced(i, 1) };
    const still = await differs(shorter);
    if (still === undefined) i++;
    else [venue, told] = [shorter, still];
  }
  return told;
}

async function agree(count: number, from: number): Promise<void> {
  const property = fc.asyncProperty(several, async ({ venues, silent }) => {
    const [first] = await differences(app, apply, places, venues, silent);
    if (!first) return;
    const alone = await shortest(venues[first.venue]!, silent);
    expect.fail(`${alone ?? `only together with others:\n${first.what}`}\nsilent before batch ${silent}`);
  });
  await fc.assert(property, { numRuns: Math.ceil(count / together), seed: from, endOnFailure: true });
}

test.skipIf(process.env['MODEL_SEED'])(
  'sessions, totals and limits equal the model: the same venues every time',
  () => agree(runs, 1),
  3_600_000,
);

test(`sessions, totals and limits equal the model: MODEL_SEED=${seed}`, () => agree(runs, seed), 3_600_000);
