/** A mistake in a command; its message is one line. */
export class CommandError extends Error {}
