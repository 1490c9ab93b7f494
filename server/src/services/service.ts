/** A running part of the process. */
export interface Service {
  /** Accepts no new work, finishes current work, and resolves. */
  stop(): Promise<void>;
}
