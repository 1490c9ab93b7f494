import { createHash } from 'node:crypto';
import { api } from '../../contract/src/api.ts';
import { openapi } from '../../server/src/http/openapi.ts';

/**
 * The source of the typed client: the description of the API without the parts that its types do not need. Every refusal is a
 * Problem, and the client itself sends the headers.
 */
export function clientDescription() {
  const { paths, ...rest } = openapi(api, '/');
  for (const path of Object.values(paths)) {
    delete path.parameters;
    for (const operation of Object.values(path)) {
      operation.parameters = operation.parameters.filter(it => !it.$ref);
      const done = Object.entries(operation.responses).filter(([status]) => status < '300');
      const [[status, { headers: _, ...response }]] = done;
      operation.responses = { [status]: response, default: { $ref: '#/components/responses/Refused' } };
    }
  }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const components = {
    schemas: rest.components.schemas,
    responses: { Refused: { description: 'A refusal', content } },
  };
  const description = { ...rest, paths, components };
  const hash = createHash('sha256').update(JSON.stringify(description)).digest('hex').slice(0, 16);
  return { description, hash };
}

/** The first line of the generated file; a test compares it. */
export const stampOf = hash => `// Made by \`npm run client\` from the description of the API ${hash}. Do not edit.`;
