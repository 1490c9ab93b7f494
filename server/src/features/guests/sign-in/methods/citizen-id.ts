import { isBirthDate, isCitizenId } from '@portico/contract/visitors.ts';
import { insertGuest } from '#features/visitors/public.ts';
import { newId } from '#lib/ids.ts';
import { type CitizenRow, findCitizen } from '../guest-visitors.queries.ts';
import { type Attempt, inputError, type Method, type Proof, type Refused } from './method.ts';
import { askRegistry, RegistryUnavailable } from './national-registry.ts';
import { capitals, dayOf, plainNumber } from './typed.ts';

const wrong: Refused = {
  problem: 'wrong_details',
  fields: ['citizen_id', 'first_name', 'last_name', 'birth_date'],
};

export const citizenId: Method<'citizen-id'> = {
  target: form => plainNumber(form.citizen_id),
  recorded: form => ({
    citizen_id: form.citizen_id,
    ...(form.first_name && { first_name: form.first_name }),
    ...(form.last_name && { last_name: form.last_name }),
    ...(form.birth_date && { birth_date: form.birth_date }),
  }),
  async prove(attempt) {
    const { app, request, form, options } = attempt;
    const { tenantId, location_id: locationId } = request.context;
    const number = plainNumber(form.citizen_id);
    if (!number) return inputError('missing', 'citizen_id');
    if (!isCitizenId(number)) return { problem: 'bad_citizen_id', fields: ['citizen_id'] };
    const asksForPerson = options.provider_type === 'nvi' || options.method === 'both';
    const person = asksForPerson ? personOf(attempt) : undefined;
    if (person && 'problem' in person) return person;

    const hash = app.secrets.index(number);
    const known = await app.db.withTenant(tenantId, tx => findCitizen(tx, locationId, hash));
    if (known && (!person || isSame(attempt, known, person))) return { visitorId: known.id };
    if (options.provider_type !== 'nvi' || !person) return wrong;
    return proveByRegistry(attempt, { number, hash, ...person }, known);
  },
};

interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** YYYY-MM-DD */
  readonly born: string;
}

function personOf({ form }: Attempt<'citizen-id'>): Person | Refused {
  const missing = (['first_name', 'last_name', 'birth_date'] as const).filter(name => !form[name]);
  if (missing.length) return inputError('missing', ...missing);
  const born = dayOf(form.birth_date);
  const [year = 0, month = 0, day = 0] = born?.split('-').map(Number) ?? [];
  if (!born || !isBirthDate(year, month, day)) return inputError('bad_date', 'birth_date');
  return { firstName: capitals(form.first_name), lastName: capitals(form.last_name), born };
}

const isSame = ({ app }: Attempt<'citizen-id'>, known: CitizenRow, person: Person): boolean =>
  capitals(known.name) === `${person.firstName} ${person.lastName}` &&
  known.birth_date !== null &&
  app.secrets.read(known.birth_date) === person.born;

/** Creates the visitor, unless it exists, if the national registry confirms the person. */
async function proveByRegistry(
  { app, request }: Attempt<'citizen-id'>,
  person: Person & { readonly number: string; readonly hash: Buffer },
  known: CitizenRow | undefined,
): Promise<Proof> {
  try {
    if (!(await askRegistry(app.settings.NVI_URL!, person))) return wrong;
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    app.log.warn({ why: error.message }, 'the national registry did not answer');
    return { problem: 'identity_away', notAGuess: true };
  }
  if (known) return { visitorId: known.id };
  const { context } = request;
  return app.db.withTenant(context.tenantId, async tx => {
    await insertGuest(tx, newId(), {
      locationId: context.location_id,
      deviceId: context.device_id,
      provider: 'citizen-id',
      name: `${person.firstName} ${person.lastName}`.slice(0, 120),
      citizenId: app.secrets.encrypt(person.number),
      citizenHash: person.hash,
      birthDate: app.secrets.encrypt(person.born),
    });
    const { id } = (await findCitizen(tx, context.location_id, person.hash))!;
    return { visitorId: id };
  });
}
