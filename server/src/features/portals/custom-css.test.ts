import { cssParts } from '@portico/contract/portal-css.ts';
import { describe, expect, test } from 'vitest';
import { CssProblem, compileCss, compiledCss } from './custom-css.ts';

/** The message of a refusal and its line. */
function refusal(source: string): string {
  try {
    return `accepted: ${compileCss(source)}`;
  } catch (error) {
    if (error instanceof CssProblem) return `${error.key} ${error.values['line']}`;
    throw error;
  }
}

describe('custom CSS', () => {
  test('styles the named parts inside the card', () => {
    expect(compileCss('.button, .title:hover { text-transform: uppercase; letter-spacing: .04em }')).toBe(
      '.card.card .button:not(.quiet,.plain),.card.card h1:hover{text-transform:uppercase;letter-spacing:.04em}',
    );
    expect(compileCss('.card{border-radius:0 0 24px 24px}')).toBe('.card.card{border-radius:0 0 24px 24px}');
  });

  test('allows every part, comments, and conditions on width and colour scheme', () => {
    for (const part of Object.keys(cssParts)) expect(compileCss(`.${part}{padding:0}`)).toContain('padding:0');
    expect(
      compileCss(
        '/* big */ @media (min-width: 48rem) and (prefers-color-scheme: dark) { /* x */ .card { max-width: 600px } }',
      ),
    ).toBe('@media (min-width: 48rem) and (prefers-color-scheme: dark){.card.card{max-width:600px}}');
  });

  test('accepts a readable pair of colours, and a shadow', () => {
    expect(compileCss('.button{color:#ffffff;background-color:#7a1f3d;box-shadow:0 2px 8px #00000040}')).toContain(
      'color:#ffffff;background-color:#7a1f3d',
    );
  });

  test.each([
    ['.button{color:#ffffff;background-color:#ffd400}', 'css_contrast 1'],
    ['.button{color:#000000}', 'css_colour_pair 1'],
    ['.button{color:#000000;background-color:#ffffff;color:#ffffff}', 'css_colour_pair 1'],
    ['.card{color:#000000;background-color:#ffffff}', 'css_no_colour 1'],
    ['.button{color:black;background-color:white}', 'css_value 1'],
  ])('refuses unreadable colours: %s', (source, expected) => {
    expect(refusal(source)).toBe(expected);
  });

  test('icons on a coloured part have the colour of its text', () => {
    const css = compileCss('.field:hover,.method{color:#ffffff;background-color:#000000}');
    expect(css).toContain('.card.card .input input:hover~.reveal{color:#ffffff}');
    expect(css).toContain('.card.card summary::after{border-color:#ffffff}');
    expect(compileCss('.field{padding:1rem}')).not.toContain('reveal');
  });

  test.each([
    '.card{box-shadow:0 64px 64px 64px #ffffff}',
    '.card{box-shadow:0 -64px #000000}',
    '.button{box-shadow:none}',
    '.block{box-shadow:4px -4px 16px #00000040}',
    '.title{box-shadow:0 0 #00000000}',
    '.field{font-size:1.5rem;padding:24px 0}',
    '.field{padding-block:4rem;padding-inline:24px}',
    '.text{font-size:12px;padding:64px;margin:4rem 0}',
  ])('accepts %j', source => {
    expect(refusal(source)).toMatch(/^accepted/);
  });

  test.each([
    '.field{box-shadow:0 64px 0 64px #ffffff}',
    '.block{box-shadow:0 -64px 0 64px #00000040}',
    '.title{box-shadow:0 4px 4px 0 #00000040}',
    '.title{box-shadow:0 5px 4px #00000040}',
    '.title{box-shadow:-5px 0 4px #00000040}',
    '.title{box-shadow:0 4px 17px #00000040}',
    '.title{box-shadow:0 4px 4px #00000041}',
    '.title{box-shadow:0 4px 4px #000000}',
    '.card,.title{box-shadow:0 64px #000000}',
    '.card{box-shadow:0 0 -1px #000000}',
    '.card{box-shadow:0 #000000}',
    '.card{box-shadow:0 0 0 0 0 #000000}',
    '.card{box-shadow:0 0 0 0 black}',
    '.field{font-size:25px}',
    '.label,.field{font-size:2rem}',
    '.field{padding:0 25px}',
    '.field{padding-inline:1.6rem}',
    '.field:hover{padding-left:64px}',
    '.field{padding:0 4em}',
    '.text{font-size:0.75em}',
    '.text{font-size:75%}',
    '.text{margin:1em}',
  ])('refuses %j', source => {
    expect(refusal(source)).toBe('css_value 1');
  });

  test.each([
    ['body{margin:0}', 'css_selector 1'],
    ['*{margin:0}', 'css_selector 1'],
    ['.consent{margin:0}', 'css_selector 1'],
    ['.button ~ .card{margin:0}', 'css_selector 1'],
    ['.constructor{margin:0}', 'css_selector 1'],
    ['.card{position:fixed}', 'css_property 1'],
    ['.card{display:none}', 'css_property 1'],
    ['.footer{opacity:0}', 'css_property 1'],
    ['.card{--ink:#ffffff}', 'css_property 1'],
    ['.card{background-image:url(https://example.com/x)}', 'css_property 1'],
    ['.card{toString:1}', 'css_property 1'],
    ['.text{font-size:0}', 'css_value 1'],
    ['.text{margin:-9999px}', 'css_value 1'],
    ['.text{margin:-1px}', 'css_value 1'],
    ['.text{margin:calc(1px)}', 'css_value 1'],
    ['.text{margin:1px!important}', 'css_value 1'],
    ['.text{font-size:12.px}', 'css_value 1'],
    ['.text{padding:1px 1px 1px 1px 1px}', 'css_value 1'],
    ['.button{box-shadow:inset 0 0 0 64px #000000}', 'css_value 1'],
    ['\n@import url(https://example.com);', 'css_at_rule 2'],
    ['@font-face{font-family:x}', 'css_at_rule 1'],
    ['@media print{.card{margin:0}}', 'css_at_rule 1'],
    ['@media (min-width: 1px){.card{.button{margin:0}}}', 'css_syntax 1'],
    ['.card{margin:0', 'css_syntax 1'],
    ['margin:0', 'css_syntax 1'],
    ['.card{margin:0}\n</style><script>alert(1)</script>', 'css_syntax 2'],
    ['.card{margin:0}/*</style>*/.card{margin:</style>}', 'css_value 1'],
  ])('refuses %j', (source, expected) => {
    expect(refusal(source)).toBe(expected);
  });

  test('a mistake leaves the page without the custom CSS', () => {
    expect([compiledCss('.card{margin:0}'), compiledCss('.card{margin:')]).toEqual(['.card.card{margin:0}', '']);
    expect(compiledCss('.card{margin:0}/*</style>*/')).toBe('.card.card{margin:0}');
  });
});
