import { createRequire } from 'node:module';
import { hasNoUser } from '@portico/contract/web-address.ts';
import type SanitizeHtml from 'sanitize-html';

const require = createRequire(import.meta.url);

/** Loads the library at the first text, because start-up does not need it. */
const sanitizeHtml = (html: string, options: SanitizeHtml.IOptions): string =>
  (require('sanitize-html') as typeof SanitizeHtml)(html, options);

/** A link without what misleads readers about its site. Without an address it is plain text. */
const link: SanitizeHtml.Transformer = (tagName, { href, ...attribs }) => ({
  tagName,
  attribs: {
    ...attribs,
    ...(href !== undefined && hasNoUser(href) && { href }),
    rel: 'noopener noreferrer nofollow',
  },
});

/** Rich text as operators may write it; everything else is dropped. `isPicture` says which picture addresses may stay. */
export function cleanRichText(html: string, isPicture: (src: string) => boolean): string {
  return sanitizeHtml(html, {
    allowedTags: [
      ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'blockquote', 'ul', 'ol', 'li', 'a', 'img', 'code', 'pre'],
      ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ],
    allowedAttributes: {
      a: ['href', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
      '*': ['dir', 'style'],
    },
    allowedStyles: { '*': { 'text-align': [/^(left|right|center|justify)$/] } },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: { a: link },
    exclusiveFilter: frame => frame.tag === 'img' && !isPicture(frame.attribs['src'] ?? ''),
    nestingLimit: 50,
  }).trim();
}

/** Another service's embed code: its frames over HTTPS and plain formatting, never its scripts. Empty when nothing is left. */
export function cleanEmbedCode(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      'iframe',
      'p',
      'div',
      'span',
      'b',
      'i',
      'strong',
      'em',
      'a',
      'br',
      'blockquote',
      'ul',
      'ol',
      'li',
      'h2',
      'h3',
      'h4',
    ],
    allowedAttributes: { iframe: ['src', 'width', 'height', 'title', 'allowfullscreen'], a: ['href', 'rel'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    allowIframeRelativeUrls: false,
    transformTags: { a: link },
    exclusiveFilter: ({ tag, attribs: { src } }) => tag === 'iframe' && !(src && hasNoUser(src)),
    nestingLimit: 50,
  }).trim();
}

/** Whether a cleaned embed code shows another site. Cleaning has dropped frames without an https address. */
export const hasFrame = (cleaned: string): boolean => cleaned.includes('<iframe ');
