import { expect, test } from 'vitest';
import { beginsLike } from './begins-like.ts';

test.for([
  ['visitors', 'visitors'],
  ['visitors', 'visi'],
  ['visitors', 'visitros'],
  ['visitors', 'vistors'],
  ['visitors', 'vissitors'],
  ['visitors', 'visutors'],
  ['session profiles', 'profles'],
  ['tek oturum', 'oturun'],
  ['api', 'api'],
] as const)('a word of “%s” begins like %s', ([text, word]) => expect(beginsLike(text, word)).toBe(true));

test.for([
  ['visitors', 'vsitosr'],
  ['visitors', 'bisitors'],
  ['visitors', 'tors'],
  ['visitors', 'visitorsxy'],
  ['api', 'apo'],
] as const)('no word of “%s” begins like %s', ([text, word]) => expect(beginsLike(text, word)).toBe(false));
