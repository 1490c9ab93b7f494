import type { PreviewDraft, PreviewMessage, PreviewPage, PreviewReady } from '@portico/contract/preview.ts';

/**
 * Connects the panel's editor with this frame. The server renders the editor's changes with the guests' pages, and the
 * result replaces the parts of this page. Messages are exchanged with the panel's origin only.
 */
const script = document.querySelector<HTMLScriptElement>('script[data-panel]')!;
const { panel = '', portal = '', sells } = script.dataset;
const draft: PreviewDraft = { styles: {}, messages: {}, page: {}, view: { page: 'sign-in', dark: false } };
let wanted = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

function note(message: PreviewMessage): void {
  if (message.type === 'portico:style-changed') Object.assign(draft.styles, message.styles);
  else if (message.type === 'portico:message-changed') Object.assign(draft.messages, message.messages);
  else if (message.type === 'portico:provider-changed')
    draft.providers = message.providers as NonNullable<PreviewDraft['providers']>;
  else if (message.type === 'portico:view-changed') Object.assign(draft.view, { method: null }, message.view);
  else if (message.type === 'portico:page-changed') Object.assign(draft.page, message.page);
  else if (message.type === 'portico:language-changed') draft.language = message.language;
}

async function draw(): Promise<void> {
  const turn = ++wanted;
  const response = await fetch(location.pathname + location.search, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(draft),
  });
  if (!response.ok) return;
  const page = (await response.json()) as PreviewPage;
  // An answer to an outdated change is ignored.
  if (turn !== wanted) return;
  document.documentElement.lang = page.language;
  document.documentElement.dir = page.dir;
  document.querySelector('style')!.textContent = page.css;
  document.body.innerHTML = page.body;
  dispatchEvent(new Event('portico:drawn'));
}

addEventListener('message', event => {
  if (event.origin !== panel || event.source !== parent) return;
  const message = event.data as PreviewMessage | undefined;
  if (typeof message?.type !== 'string' || !message.type.startsWith('portico:')) return;
  note(message);
  clearTimeout(timer);
  timer = setTimeout(() => void draw(), 40);
});

// Links and forms do nothing in a preview.
for (const kind of ['submit', 'click'] as const)
  addEventListener(
    kind,
    event => {
      const link = kind === 'click' && (event.target as Element).closest('a');
      if (kind === 'click' && !link) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );

const ready: PreviewReady = { type: 'portico:preview-ready', portal_id: portal, sells: sells !== undefined };
if (parent !== window) parent.postMessage(ready, panel);
