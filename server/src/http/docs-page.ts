import { type Endpoint, endpoints, type Tree } from '@portico/contract/endpoint.ts';
import { escapeHtml } from '#lib/html.ts';
import { type Example, examples, queryText } from './examples.ts';

/** The call as a command line, and its answer. */
function shownExample(endpoint: Endpoint, example: Example, server: string): string {
  const token = endpoint.access === 'public' ? '' : " -H 'Authorization: Bearer portico_…'";
  const body = example.body
    ? ` -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(example.body, null, 2)}'`
    : '';
  const call = `curl${token} -H 'X-Tenant: panel'${body} \\\n  '${server}${endpoint.path}${queryText(example)}'`;
  const answer = typeof example.answer === 'string' ? example.answer : JSON.stringify(example.answer, null, 2);
  return `<tr class="example"><td colspan="4"><details><summary>Example</summary><pre>${escapeHtml(call)}</pre><pre>${escapeHtml(answer)}</pre></details></td></tr>`;
}

/** A readable list of every endpoint, made from the same data as the OpenAPI file. */
export function docsPage(tree: Tree, server: string): string {
  const groups = new Map<string, string[]>();
  for (const [name, e] of endpoints(tree)) {
    const group = name.split('.')[0]!;
    const rows = groups.get(group) ?? [];
    const example = examples[name] ? shownExample(e, examples[name], server) : '';
    rows.push(
      `<tr><td><b class="${e.method}">${e.method}</b></td><td><code>${escapeHtml(e.path)}</code></td><td>${escapeHtml(e.summary)}</td><td><code>${e.access}</code></td></tr>${example}`,
    );
    groups.set(group, rows);
  }
  const sections = [...groups].map(
    ([group, rows]) =>
      `<h2 id="${group}">${group}</h2><table><thead><tr><th>Method<th>Path<th>What<th>Access</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Portico API</title>
<link rel="stylesheet" href="/docs/style.css">
<main><h1>Portico API</h1><p>The machine-readable description is <a href="/v1/openapi.json">/v1/openapi.json</a> (OpenAPI 3.1).
Name the tenant with <code>X-Tenant</code> or by the host name; <code>POST /v1/user/login</code> answers a bearer token.
For your own software, make a personal access token in the panel under Account, API tokens: it calls what its permissions allow, so many times a minute.</p>
<pre tabindex="0">curl -H 'Authorization: Bearer portico_…' -H 'X-Tenant: panel' '${escapeHtml(server)}/v1/panel/client?per_page=50'
curl -H 'Authorization: Bearer portico_…' -H 'X-Tenant: panel' -H 'Content-Type: application/json' \\
  -d '{"name":"Ada Deniz","provider_type":"username","username":"ada","password":"secret1"}' ${escapeHtml(server)}/v1/panel/client</pre>
<p>Errors are <code>{"message", "code", "errors"}</code> in the language of <code>Accept-Language</code> (tr, en).</p>
<nav>${[...groups.keys()].map(g => `<a href="#${g}">${g}</a>`).join(' ')}</nav>${sections.join('')}</main></html>`;
}

export const docsStyle = `:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:0;background:Canvas;color:CanvasText}main{max-width:70rem;margin:0 auto;padding:2rem 1rem}
pre{overflow:auto;padding:1rem;border:1px solid #8884}table{width:100%;border-collapse:collapse;margin-bottom:2rem}th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
nav{display:flex;flex-wrap:wrap;gap:.75rem}code{font-size:.9em}b{font-size:.8em}summary{cursor:pointer}details pre{white-space:pre-wrap;overflow-wrap:anywhere}.example td{padding-top:0}tr:has(+.example) td{border:0}
@media(max-width:48rem){table,tbody,tr,td{display:block}thead{display:none}tr{padding:.5rem 0;border-bottom:1px solid #8884}td{padding:.1rem 0;border:0}td code{overflow-wrap:anywhere}tr:has(+.example){border:0}}h2{margin-top:2rem;text-transform:capitalize}a{color:#1c5fd9}@media(prefers-color-scheme:dark){a{color:#8ab4ff}}`;
