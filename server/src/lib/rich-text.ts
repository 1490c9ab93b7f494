import sanitizeHtml from 'sanitize-html';

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
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer nofollow' } }),
    },
    exclusiveFilter: frame => frame.tag === 'img' && !isPicture(frame.attribs['src'] ?? ''),
    nestingLimit: 50,
  }).trim();
}

/** Another service's embed code: its frames over HTTPS and nothing else. Empty when there is none. */
export function cleanEmbedCode(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: ['iframe'],
    allowedAttributes: { iframe: ['src', 'width', 'height', 'title', 'allowfullscreen'] },
    allowedSchemes: ['https'],
    allowProtocolRelative: false,
    allowIframeRelativeUrls: false,
    exclusiveFilter: frame => frame.tag === 'iframe' && !frame.attribs['src'],
    textFilter: () => '',
  }).trim();
}
