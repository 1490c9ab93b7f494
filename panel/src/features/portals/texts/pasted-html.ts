const allowedTags = new Set('P BR H2 H3 H4 UL OL LI B STRONG I EM U A BLOCKQUOTE'.split(' '));
const removedTags = new Set('SCRIPT STYLE HEAD TITLE META IFRAME OBJECT TEMPLATE SVG'.split(' '));
/** Block elements that are dropped but keep their line break. */
const blockTags = new Set('DIV SECTION ARTICLE TR'.split(' '));

const inline = /\s(style|on\w+)=("[^"]*"|'[^']*'|[^\s>]+)/gi;

/** Reduces pasted HTML to the elements that the editor knows. The only attribute kept is the address of links. */
export function sanitizePastedHtml(html: string): string {
  // A parsed document is inert: nothing in it is loaded or run. Without styles and handlers the browser has nothing to
  // complain about either.
  const source = new DOMParser().parseFromString(html.replace(inline, ''), 'text/html');
  const target = source.implementation.createHTMLDocument('');
  copy(source.body, target.body, target);
  return target.body.innerHTML;
}

function copy(from: Node, to: Node, target: Document): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE)
      to.appendChild(target.createTextNode((node.textContent ?? '').replace(/\s+/g, ' ')));
    if (!(node.nodeType === Node.ELEMENT_NODE)) continue;
    const element = node as Element;
    const name = element.tagName.toUpperCase() === 'H1' ? 'H2' : element.tagName.toUpperCase();
    if (removedTags.has(name)) continue;
    if (!allowedTags.has(name)) {
      copy(element, to, target);
      if (blockTags.has(name)) to.appendChild(target.createElement('br'));
      continue;
    }
    const own = target.createElement(name);
    const href = element.getAttribute('href') ?? '';
    if (name === 'A' && isLink(href)) own.setAttribute('href', href);
    copy(element, own, target);
    to.appendChild(own);
  }
}

export const isLink = (address: string): boolean =>
  /^(mailto|tel):\S+$/i.test(address) || (/^https?:\/\/[^\s/]+\.[^\s/]+/i.test(address) && URL.canParse(address));
