import { endpoints, type Tree } from '@portico/contract/endpoint.ts';
import { schemaNames } from '@portico/contract/schemas.ts';
import { z } from 'zod';

export type Json = Record<string, unknown>;
type Way = 'input' | 'output';

const pascal = (dotted: string): string =>
  dotted.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase());

/** The schema of one row or object in a reply, which is what deserves a name. */
function contentOf(reply: z.ZodType): z.ZodType {
  const data = reply instanceof z.ZodObject ? (reply.shape['data'] as z.ZodType | undefined) : undefined;
  const content = data ?? reply;
  return content instanceof z.ZodArray ? (content.element as z.ZodType) : content;
}

/** The exported schemas by their names; the other bodies and replies by that of their operation. */
function namesOf(tree: Tree): Map<z.ZodType, string> {
  const names = schemaNames();
  const add = (schema: z.ZodType, name: string) => {
    const named = schema instanceof z.ZodObject || schema instanceof z.ZodUnion || schema instanceof z.ZodIntersection;
    if (named && !names.has(schema)) names.set(schema, name);
  };
  for (const [name, { body, reply }] of endpoints(tree)) {
    if (body) add(body, `${pascal(name)}Body`);
    if (typeof reply !== 'string') add(contentOf(reply), `${pascal(name)}Reply`);
  }
  const taken = new Map<string, z.ZodType>();
  for (const [schema, name] of names) {
    if (taken.has(name)) throw new Error(`Two schemas would be called ${name}: rename one of the exports`);
    taken.set(name, schema);
  }
  return names;
}

/** Names as zod reads them: like its own registry, but without keeping them beyond this description. */
class Names extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  readonly #names: ReadonlyMap<z.core.$ZodType, string>;
  constructor(names: ReadonlyMap<z.core.$ZodType, string>) {
    super();
    this.#names = names;
  }
  override get<S extends z.core.$ZodType>(schema: S) {
    if (!this.has(schema)) {
      const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {};
      const id = this.#names.get(schema);
      this.add(schema, id === undefined ? meta : { ...meta, id });
    }
    return super.get(schema);
  }
}

const refPrefix = '#/components/schemas/';
const pointTo = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/$defs/', `"$ref":"${refPrefix}`));

/** A record whose keys are known is an object with these properties. A part of `allOf` that allows everything says nothing. */
function simplify(schema: Json, io: Way): void {
  const { propertyNames, additionalProperties, allOf } = schema as {
    propertyNames?: { enum?: string[] };
    additionalProperties?: Json;
    allOf?: Json[];
  };
  // Answers may have more fields in the future.
  if (io === 'output' && (schema['additionalProperties'] as unknown) === false) delete schema['additionalProperties'];
  if (allOf) schema['allOf'] = allOf.filter(part => Object.keys(part).length > 0);
  if (!propertyNames?.enum) return;
  schema['properties'] = Object.fromEntries(propertyNames.enum.map(key => [key, additionalProperties]));
  delete schema['additionalProperties'];
  delete schema['propertyNames'];
}

/** Collects named schemas while the operations are described. */
export function createComponents(tree: Tree) {
  const names = namesOf(tree);
  const outputs = new Names(names);
  const suffixed = new Names(new Map([...names].map(([schema, name]) => [schema, `${name}Input`])));
  const schemas: Record<string, Json> = {};

  const convert = (schema: z.ZodType, io: Way, metadata: Names): Json => {
    const {
      $schema: _,
      $defs = {},
      ...json
    } = z.toJSONSchema(schema, {
      io,
      metadata,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => simplify(jsonSchema as Json, io),
    }) as Json;
    for (const [name, definition] of Object.entries($defs as Json)) {
      const { id: _id, ...rest } = definition as Json;
      schemas[name] ??= pointTo(rest);
    }
    return pointTo(json);
  };

  /** A reference for a schema that has a name itself, else the schema with references in it. */
  const describe = (schema: z.ZodType, io: Way): Json => {
    // Within a wrapper, so that a named schema becomes a reference too.
    const { properties } = convert(z.object({ it: schema }), io, io === 'input' ? suffixed : outputs) as {
      properties: Json;
    };
    return properties['it'] as Json;
  };

  return {
    input: (schema: z.ZodType) => describe(schema, 'input'),
    output: (schema: z.ZodType) => describe(schema, 'output'),
    /** Every named schema. One that is the same in both directions has one name. */
    finish: (): { schemas: Record<string, Json>; merged: ReadonlyMap<string, string> } => mergeEqual(schemas),
  };
}

/** `VisitorInput` becomes `Visitor` where both are the same, or where there is no other `Visitor`. */
function mergeEqual(schemas: Record<string, Json>): {
  schemas: Record<string, Json>;
  merged: ReadonlyMap<string, string>;
} {
  const merged = new Map<string, string>();
  const inputs = Object.keys(schemas).filter(name => name.endsWith('Input'));
  const plainOf = (name: string) => name.slice(0, -'Input'.length);
  // A schema is the same if the schemas that it points to are. Differences spread until nothing changes.
  const different = new Set<string>();
  const text = (schema: Json | undefined): string =>
    JSON.stringify(schema).replace(/schemas\/(\w+)Input"/g, (all, name: string) =>
      different.has(`${name}Input`) ? all : `schemas/${name}"`,
    );
  for (let before = -1; before !== different.size; ) {
    before = different.size;
    for (const name of inputs) {
      const plain = schemas[plainOf(name)];
      if (plain && text(plain) !== text(schemas[name])) different.add(name);
    }
  }
  for (const name of inputs) if (!different.has(name)) merged.set(name, plainOf(name));
  const kept = Object.entries(schemas).map(([name, schema]): [string, Json] => [merged.get(name) ?? name, schema]);
  return { schemas: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))), merged };
}

/** Replaces the names that were merged, anywhere in a description. */
export const renamed = <T>(description: T, merged: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(description).replace(
      /"#\/components\/schemas\/(\w+)"/g,
      (_all, name: string) => `"${refPrefix}${merged.get(name) ?? name}"`,
    ),
  ) as T;
