import { expect, test } from 'vitest';
import { busy, redraw } from '#lib/pictures/redraw.ts';

/**
 * The attack: a member uploads many pictures that each take the longest time that is allowed. One picture is drawn at a time, so
 * those of all other tenants wait for minutes, or are refused.
 */

const upload = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>');

test('pictures of another tenant are drawn after one of the attacker, and are not refused', async () => {
  const order: string[] = [];
  const send = async (owner: string) => {
    const answer = await redraw(upload, { owner, width: 9, height: 9 });
    order.push(answer === busy ? `${owner} busy` : owner);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map(send));
  expect(order).toEqual(['a busy', 'a busy', 'a', 'a', 'b', 'c', 'a', 'b', 'a', 'a']);
});
