/** Limits for clients: the port's protection against slow and hostile ones. */

export interface Limits {
  /** Open connections of this process. */
  readonly connections: number
  /** Open connections of one peer address. */
  readonly connectionsPerAddress: number
  /** Time for the first bytes, the TLS handshake, and the headers of each request. */
  readonly headerMs: number
  /** Time from the headers of a request to the last byte of its response. */
  readonly exchangeMs: number
  /** How long a connection can be idle between requests. */
  readonly idleMs: number
  /** Size of a request's headers. */
  readonly headerBytes: number
  /** Number of header fields in an HTTP/2 request. */
  readonly headerPairs: number
  readonly streamsPerSession: number
  /** Megabytes an HTTP/2 session may hold before it gets no new streams. */
  readonly sessionMegabytes: number
  /**
   * How many streams an HTTP/2 client can reset at once, and how many more each second (rapid reset, CVE-2023-44487).
   */
  readonly streamResetBurst: number
  readonly streamResetRate: number
  /** PING and SETTINGS frames an HTTP/2 peer may send in a second, beside those that go with requests and answers. */
  readonly controlFramesPerSecond: number
  /** Requests of an HTTP/2 session whose headers may be over the limits before the session is closed. */
  readonly rejectedHeaderBlocks: number
}

/** Strict for attackers, generous for all other clients. */
export const defaultLimits: Limits = Object.freeze({
  connections: 10_000,
  connectionsPerAddress: 4_000,
  headerMs: 10_000,
  exchangeMs: 30_000,
  idleMs: 60_000,
  headerBytes: 16_384,
  headerPairs: 128,
  streamsPerSession: 100,
  sessionMegabytes: 10,
  streamResetBurst: 1_000,
  streamResetRate: 33,
  controlFramesPerSecond: 500,
  rejectedHeaderBlocks: 20,
})

/** How often deadlines are checked: often enough to be precise, rarely enough to cost nothing. */
export function sweepMs(limits: Limits): number {
  return Math.max(20, Math.min(1_000, Math.floor(Math.min(limits.headerMs, limits.exchangeMs, limits.idleMs) / 4)))
}
