import { directionOf, type PortalLanguage } from '@portico/contract/portal-languages.ts';
import { escapeHtml } from '#lib/html.ts';
import type { Words } from './words.ts';

export interface Brand {
  readonly name: string;
  /** `#rrggbb`. */
  readonly color: string;
  /** The complete address of the logo; null: the name is shown instead. */
  readonly logo: string | null;
}

/** WCAG 2 relative luminance of `#rrggbb`, 0 to 1. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const underWhite = (color: string): number => 1.05 / (luminance(color) + 0.05);
const darker = (color: string): string =>
  `#${[1, 3, 5]
    .map(at =>
      Math.floor(Number.parseInt(color.slice(at, at + 2), 16) * 0.96)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/**
 * A button in the brand's colour (`#rrggbb`) with readable text (4.5:1): white, on a slightly darker background if
 * needed, else black.
 */
export function buttonColors(color: string): { background: string; ink: '#ffffff' | '#000000' } {
  if (underWhite(color) < 3) return { background: color, ink: '#000000' };
  let background = color;
  while (underWhite(background) < 4.5) background = darker(background);
  return { background, ink: '#ffffff' };
}

const safeColor = (color: string): string => (/^#[0-9a-f]{6}$/i.test(color) ? color : '#2f71f2');
const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The mail as HTML: tables and inline styles, because mail programs support little else. */
export function htmlOf(words: Words, brand: Brand, language: PortalLanguage): string {
  const color = safeColor(brand.color);
  const button = buttonColors(color);
  const cell = (inner: string, style: string) => `<tr><td style="${style}">${inner}</td></tr>`;
  const name = escapeHtml(brand.name);
  // A name in another script keeps its own order within a text from right to left.
  const own = directionOf(language) === 'rtl' ? `<bdi>${name}</bdi>` : name;
  const say = (text: string) => (name ? escapeHtml(text).replaceAll(name, () => own) : escapeHtml(text));
  const head = brand.logo
    ? `<img src="${escapeHtml(brand.logo)}" alt="${name}" height="36" style="display:block;height:36px;max-width:240px;border:0;font-size:18px;font-weight:600;color:#1a1d21">`
    : `<span style="font-size:18px;font-weight:600;color:#1a1d21">${own}</span>`;
  const rows = [
    cell(head, 'padding:28px 32px 8px'),
    cell(
      `<h1 style="margin:0;font-size:22px;line-height:30px;font-weight:600;color:#1a1d21">${say(words.heading)}</h1>`,
      'padding:8px 32px',
    ),
    ...words.paragraphs.map(text => cell(say(text), 'padding:6px 32px;font-size:15px;line-height:24px;color:#3c434a')),
  ];
  if (words.code)
    rows.push(
      cell(
        `<div style="display:inline-block;padding:14px 20px;border:1px solid #d9dee3;border-radius:8px;background:#f6f8fa;font:600 28px/34px ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;color:#1a1d21">${escapeHtml(words.code)}</div>`,
        'padding:16px 32px',
      ),
    );
  if (words.button) {
    const link = escapeHtml(words.button.link);
    rows.push(
      cell(
        `<a href="${link}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${button.background};color:${button.ink};font-size:15px;font-weight:600;text-decoration:none">${escapeHtml(words.button.label)}</a>`,
        'padding:18px 32px 10px',
      ),
      cell(
        `<a href="${link}" style="color:#59636e;word-break:break-all">${link}</a>`,
        'padding:0 32px 6px;font-size:12px;line-height:18px;color:#59636e',
      ),
    );
  }
  const choices = words.choices
    ? `<br><a href="${escapeHtml(words.choices.link)}" style="color:#59636e">${escapeHtml(words.choices.label)}</a>`
    : '';
  rows.push(
    cell(`${say(words.note)}${choices}`, 'padding:18px 32px 28px;font-size:13px;line-height:20px;color:#59636e'),
  );
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(words.subject)}</title></head>
<body style="margin:0;padding:0;background:#f1f3f5;font-family:${fonts}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f1f3f5"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #dfe3e8;border-top:4px solid ${color};border-radius:8px;font-family:${fonts}">
${rows.join('\n')}
</table>
<p style="margin:16px 0 0;font-size:12px;line-height:18px;color:#59636e">${own}</p>
</td></tr></table>
</body></html>
`;
}

/** The mail as plain text. */
export function textOf(words: Words, brand: Brand): string {
  return [
    words.heading,
    ...words.paragraphs,
    ...(words.code ? [`    ${words.code}`] : []),
    ...(words.button ? [`${words.button.label}:\n${words.button.link}`] : []),
    words.note,
    ...(words.choices ? [`${words.choices.label}:\n${words.choices.link}`] : []),
    `-- \n${brand.name}`,
  ].join('\n\n');
}
