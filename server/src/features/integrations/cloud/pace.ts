/** How often hotel systems in the cloud are asked. Tests make it shorter. */
export const cloudPace = {
  tickMs: 1000,
  /** A request without an answer is given up after that. */
  answerMs: 20_000,
  /** All guests are read so often, whether or not the system reports changes. */
  readMs: 20_000,
  /** After a report. */
  hintMs: 2000,
  /** Between reads that are reported to be due. */
  reportSeconds: 3,
  firstRetryMs: 5000,
  /** The document of a guest may be entered after the check-in. */
  documentMs: 60_000,
  /** A charge in doubt is looked up after that. */
  chargeRetrySeconds: 60,
};
