/** A part of the process that was started. */
export interface Service {
  /** Takes nothing new in, finishes what is under way, and resolves. */
  stop(): Promise<void>;
}
