import { defaultStyles } from '@portico/contract/portal-styles.ts';
import { expect, test } from 'vitest';
import { weakColours } from '#features/portals/design/contrast.ts';

const onWhite = { ...defaultStyles, form_background_color: '#fffffe' };
/** About 3.5:1 on white. */
const grey = '#8a8a8a';

test('the default colours are never weak', () => {
  expect(weakColours(defaultStyles)).toEqual({});
});

test('the welcome text needs a contrast of 4.5:1, or 3:1 from 19 pixels on', () => {
  const styles = { ...onWhite, welcome_message_text_color: grey };
  expect(weakColours({ ...styles, welcome_font_size: 18 })).toHaveProperty('welcome_message_text_color');
  expect(weakColours({ ...styles, welcome_font_size: 19 })).not.toHaveProperty('welcome_message_text_color');
});

test('buttons need a contrast of 3:1 and messages 4.5:1', () => {
  const weak = weakColours({ ...onWhite, primary_color: grey, secondary_color: '#c0c0c0', alert_color: grey });
  expect(weak).not.toHaveProperty('primary_color');
  expect(weak.secondary_color).toBeCloseTo(1.82, 1);
  expect(weak.alert_color).toBeCloseTo(3.45, 1);
});
