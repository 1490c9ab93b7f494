import { readFileSync } from 'node:fs';
import { marked } from 'marked';
import { escapeHtml } from '#lib/html.ts';
import { eventGroups } from './webhooks.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly additionalProperties?: Schema | boolean;
  readonly [limit: string]: unknown;
}
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly $ref?: string;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly [string];
  readonly security: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { $ref?: string; content?: Readonly<Record<string, Media>> }>>;
}
export interface Description {
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<
    Record<
      string,
      { readonly post: { readonly requestBody: { readonly content: { readonly 'application/json': Media } } } }
    >
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const slug = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const code = (text: unknown): string =>
  `<code>${escapeHtml(typeof text === 'string' ? text : JSON.stringify(text))}</code>`;
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);
const inline = (markdown: string): string => marked.parseInline(markdown, { async: false });

/** The type of a value, with links to named schemas. */
function typeOf(schema: Schema): string {
  const either = schema.anyOf ?? schema.oneOf;
  if (schema.$ref) return `<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.enum) return schema.enum.map(code).join(' <i>or</i> ');
  if (schema.const !== undefined) return code(schema.const);
  if (either) return [...new Set(either.map(typeOf))].join(' <i>or</i> ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' <i>and</i> ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object' ? `map of ${typeOf(schema.additionalProperties)}` : 'object';
  return escapeHtml([schema.format ?? [schema.type ?? 'anything'].flat().join(' or ')].join(''));
}

const limitWords: Readonly<Record<string, string>> = {
  minimum: 'from',
  maximum: 'to',
  minLength: 'at least characters:',
  maxLength: 'at most characters:',
  minItems: 'at least entries:',
  maxItems: 'at most entries:',
};
// The bounds of numbers in JavaScript say nothing.
const isLimit = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function notesOf(schema: Schema): string {
  const limits = Object.entries(limitWords).flatMap(([key, word]) =>
    isLimit(schema[key]) ? [`${word} ${String(schema[key])}`] : [],
  );
  const standard = schema.default === undefined ? [] : [`default ${code(schema.default)}`];
  return [schema.description && inline(schema.description), ...limits, ...standard].filter(Boolean).join(', ');
}

/** The fields of an object, also of objects within it. */
function fieldRows(schema: Schema, prefix = ''): string {
  return Object.entries(schema.properties ?? {})
    .map(([name, field]) => {
      const needed = schema.required?.includes(name) ? '' : ' <i class="soft">optional</i>';
      const own = field.type === 'array' && field.items?.properties ? field.items : field;
      const inside = prefix.length < 40 ? fieldRows(own, `${prefix}${name}${own === field ? '' : '[]'}.`) : '';
      return `<tr><td>${code(prefix + name)}${needed}</td><td>${typeOf(field)}</td><td>${notesOf(field)}</td></tr>${inside}`;
    })
    .join('');
}

const table = (rows: string): string =>
  rows ? `<table><thead><tr><th>Name<th>Type<th>Notes</tr></thead><tbody>${rows}</tbody></table>` : '';

const schemaBody = (schema: Schema): string =>
  schema.properties ? table(fieldRows(schema)) : `<p>${typeOf(schema)}</p>`;

function parameterTable({ parameters }: Operation): string {
  const own = parameters.filter(it => !it.$ref);
  return table(
    own
      .map(
        it =>
          `<tr><td>${code(it.name)} <i class="soft">${it.in}${it.required ? '' : ', optional'}</i></td><td>${typeOf(it.schema)}</td><td>${notesOf(it.schema)}</td></tr>`,
      )
      .join(''),
  );
}

function curlOf(server: string, method: string, path: string, it: Operation): string {
  const query = it.parameters.flatMap(({ in: place, name, example }) =>
    place === 'query' && example !== undefined ? [[name, [example].flat().join(',')]] : [],
  );
  const search = query.length ? `?${new URLSearchParams(query)}` : '';
  const media = Object.entries(it.requestBody?.content ?? {})[0];
  const body = media?.[1].example;
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${server}${path}${search}'`,
    `-H 'X-Tenant: panel'`,
    ...(it.security.length ? [`-H 'Authorization: Bearer portico_…'`] : []),
    ...(media?.[0] === 'multipart/form-data' ? [`-F 'file=@…'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body, null, 2)}'`]),
  ].join(' \\\n  ');
}

function replyOf(it: Operation): { status: string; text: string; example: string } {
  const [status, response] = Object.entries(it.responses)[0]!;
  const media = Object.entries(response.content ?? {});
  const text = media.map(([type, { schema }]) => (type === 'application/json' ? replyType(schema) : code(type)));
  const shown = media.map(([, { example }]) => example).find(example => example !== undefined);
  const example = typeof shown === 'string' ? shown : shown === undefined ? '' : JSON.stringify(shown, null, 2);
  return { status, text: text.join(' <i>or</i> ') || 'empty', example };
}

/** `{data: Visitor}` as "Visitor in `data`", which is shorter than a table. */
function replyType(schema: Schema): string {
  const data = schema.properties?.['data'];
  const meta = schema.properties?.['meta'];
  if (!data) return typeOf(schema);
  return `${typeOf(data)} in <code>data</code>${meta?.properties?.['last_page'] ? ', a <a href="#pages">page</a>' : ''}`;
}

function operationPart(description: Description, path: string, method: string): string {
  const it = description.paths[path]![method]!;
  const { status, text, example } = replyOf(it);
  const sent = Object.values(it.requestBody?.content ?? {})[0]?.schema;
  const others = Object.entries(it.responses).flatMap(([other, { $ref }]) =>
    $ref ? [`<a href="#refusal-${nameOf($ref)}">${other}</a>`] : [],
  );
  const shown = `<pre tabindex="0">${escapeHtml(curlOf(description.servers[0].url, method, path, it))}</pre>${example ? `<pre tabindex="0">${escapeHtml(example)}</pre>` : ''}`;
  return `<article id="${it.operationId}"><h3><a href="#${it.operationId}">${escapeHtml(it.summary)}</a></h3>
<p class="address"><b class="${method}">${method.toUpperCase()}</b> ${code(path)}</p>
<p>${inline(it.description)}</p>
${parameterTable(it)}${sent ? `<h4>Body</h4>${sent.$ref ? `<p>${typeOf(sent)}</p>${fieldTable(description, sent)}` : schemaBody(sent)}` : ''}
<h4>Answer</h4><p><b>${status}</b> ${text}</p><p class="soft">Refusals: ${others.join(' ')}</p>
<details><summary>Example</summary>${shown}</details></article>`;
}

const fieldTable = ({ components }: Description, { $ref }: Schema): string => {
  const named = components.schemas[nameOf($ref!)];
  return named?.properties ? `<details><summary>Fields</summary>${table(fieldRows(named))}</details>` : '';
};

/** The fields of `data` of a webhook's event. */
const eventFields = ({ webhooks }: Description, event: string): string => {
  const sent = webhooks[event]!.post.requestBody.content['application/json'];
  return table(fieldRows(sent.schema.properties?.['data'] ?? {}));
};

const guideFile = new URL('../../../docs/api.md', import.meta.url);

/** The guide with an address for each heading. */
function guide(): { html: string; headings: string[] } {
  const headings: string[] = [];
  const html = marked
    .parse(readFileSync(guideFile, 'utf8'), { async: false })
    .replace(/<h2>(.*?)<\/h2>/g, (_all, title: string) => {
      headings.push(title);
      return `<h2 id="${slug(title)}">${title}</h2>`;
    })
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { html, headings };
}

/** The guide and the reference on one page, made from the description. It needs no script; one filters the list. */
export function docsPage(description: Description): string {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    methods.filter(method => item[method]).map(method => ({ path, method, it: item[method]! })),
  );
  const groups = description.tags.map(tag => ({ tag, all: operations.filter(({ it }) => it.tags[0] === tag.name) }));
  const { html, headings } = guide();
  const list = groups.map(
    ({ tag, all }) =>
      `<details><summary>${escapeHtml(tag.name)}</summary><ul>${all
        .map(
          ({ it, method, path }) =>
            `<li data-text="${escapeHtml(`${it.summary} ${path} ${method} ${it.operationId}`.toLowerCase())}"><a href="#${it.operationId}"><b class="${method}">${method.toUpperCase()}</b> <span>${escapeHtml(it.summary)}</span></a></li>`,
        )
        .join('')}</ul></details>`,
  );
  const sections = groups.map(
    ({ tag, all }) =>
      `<section><h2 id="${slug(tag.name)}">${escapeHtml(tag.name)}</h2><p>${inline(tag.description)}</p>${all
        .map(({ path, method }) => operationPart(description, path, method))
        .join('')}</section>`,
  );
  const refusals = Object.entries(description.components.responses).map(
    ([name, it]) => `<article id="refusal-${name}"><h3>${name}</h3><p>${inline(it.description)}</p></article>`,
  );
  // Closed, because there are two hundred. The script opens the one that a link leads to.
  const schemas = Object.entries(description.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${name}"><summary><code>${name}</code></summary>${schemaBody(schema)}</details>`,
  );
  const events = eventGroups.map(
    ({ title, events }) =>
      `<h3>${escapeHtml(title)}</h3>${events
        .map(
          ({ event, when, example }) =>
            `<details id="event-${event}"><summary>${code(event)} ${inline(when)}</summary>${eventFields(description, event)}<pre tabindex="0">${escapeHtml(JSON.stringify(example, null, 2))}</pre></details>`,
        )
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico API</title>
<link rel="stylesheet" href="/docs/style.css"><script src="/docs/filter.js" defer></script></head>
<body class="reference"><nav aria-label="Contents"><input id="filter" type="search" placeholder="Filter" aria-label="Filter operations" hidden>
<details open><summary>Guide</summary><ul>${headings.map(it => `<li><a href="#${slug(it)}">${it}</a></li>`).join('')}</ul></details>
${list.join('')}<ul><li><a href="#events">Events of webhooks</a></li><li><a href="#refusals">Refusals</a></li><li><a href="#schemas">Schemas</a></li><li><a href="/v1/openapi.json">OpenAPI 3.1</a></li></ul></nav>
<main>${html}${sections.join('')}<section><h2 id="events">Events of webhooks</h2>${events.join('')}</section><section><h2 id="refusals">Refusals</h2>${refusals.join('')}</section><section><h2 id="schemas">Schemas</h2>${schemas.join('')}</section></main></body></html>`;
}

/** Shows the operations whose texts contain what was typed, and opens what a link leads to. */
export const docsScript = `const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.localName === 'details') target.open = true;
};
addEventListener('hashchange', reveal);
reveal();
const box = document.getElementById('filter');
const groups = [...document.querySelectorAll('nav details')];
box.hidden = false;
box.addEventListener('input', () => {
  const typed = box.value.trim().toLowerCase();
  for (const group of groups) {
    let shown = 0;
    for (const row of group.querySelectorAll('li')) {
      row.hidden = typed !== '' && !(row.dataset.text ?? row.textContent.toLowerCase()).includes(typed);
      if (!row.hidden) shown += 1;
    }
    group.hidden = shown === 0;
    group.open = typed !== '' ? shown > 0 : group === groups[0];
  }
});
`;

export const docsStyle = `:root{color-scheme:light dark;--line:#8884;--soft:light-dark(#5b6472,#a3adba);--link:light-dark(#1c5fd9,#8ab4ff);--back:light-dark(#f6f7f9,#1d2126);font:15px/1.55 system-ui,sans-serif}
*{box-sizing:border-box}body{margin:0;background:Canvas;color:CanvasText}main{max-width:70rem;margin:0 auto;padding:2rem 1rem}a{color:var(--link)}
pre{overflow:auto;padding:.8rem 1rem;border:1px solid var(--line);border-radius:.4rem;background:var(--back);font-size:.85em}code{font-size:.9em;overflow-wrap:anywhere}pre code{font-size:1em;overflow-wrap:normal}
table{width:100%;border-collapse:collapse;margin:.5rem 0 1rem}th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}th{font-size:.85em;color:var(--soft)}
summary{cursor:pointer;min-height:24px}article a,td a{display:inline-block;min-height:24px}.soft,i{color:var(--soft)}i{font-style:normal;font-size:.9em}
.reference{display:grid;grid-template-columns:18rem minmax(0,1fr)}.reference main{margin:0;padding:2rem 2.5rem;max-width:60rem}
.reference nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.2rem 1rem;border-right:1px solid var(--line);background:var(--back);font-size:.93em}
nav input{width:100%;padding:.45rem .6rem;margin-bottom:.8rem;font:inherit;border:1px solid var(--soft);border-radius:.4rem;background:Canvas;color:inherit}
nav summary{font-weight:600;padding:.25rem 0}nav ul{list-style:none;margin:0 0 .5rem;padding:0}nav li a{display:flex;gap:.5rem;padding:.2rem 0 .2rem .4rem;min-height:24px;text-decoration:none;color:inherit}nav li a:hover{color:var(--link)}
nav b{flex:none;width:3.4rem;font-size:.72em;line-height:1.9}b.get{color:light-dark(#0a6b4f,#6fdcb3)}b.post{color:light-dark(#1c5fd9,#8ab4ff)}b.put,b.patch{color:light-dark(#8a4b00,#f0b35e)}b.delete{color:light-dark(#b3261e,#ff9a92)}
h2{margin:3rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}h3{margin:0 0 .3rem}h3 a{color:inherit;text-decoration:none}h4{margin:1rem 0 .2rem;font-size:.95em}.reference p{margin:.3rem 0 .6rem}
article{padding:1.4rem 0;border-top:1px solid var(--line)}h2+p+article,h2+article{border-top:0}main>section>details{padding:.25rem 0}.address b{margin-right:.4rem}
@media(max-width:60rem){.reference{display:block}.reference nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line)}.reference main{padding:1rem}
article table,article tbody,article tr,article td{display:block}article thead{display:none}article tr{padding:.4rem 0;border-bottom:1px solid var(--line)}article td{padding:0;border:0}}`;
