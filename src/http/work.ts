/** How much work requests have caused so far, for metrics and for tests that must not measure time. */
export const work = {
  /** Elements of messages that were let through to be parsed. */
  elements: 0,
  /** Bytes that came out of decompression. */
  inflatedBytes: 0,
}
