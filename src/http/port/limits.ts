/** How much a peer may take, and for how long: the port's guard against slow and hostile clients. */

export interface Limits {
  /** Open connections of this process. */
  readonly connections: number
  /** Open connections of one peer address. */
  readonly connectionsPerAddress: number
  /** For the first bytes, the TLS handshake, and the headers of each request. */
  readonly headerMs: number
  /** From the headers of a request to the last byte of its answer. */
  readonly exchangeMs: number
  /** How long a connection may wait for its next request. */
  readonly idleMs: number
  /** Size of a request's headers. */
  readonly headerBytes: number
  /** Number of header fields in an HTTP/2 request. */
  readonly headerPairs: number
  readonly streamsPerSession: number
  /** Megabytes an HTTP/2 session may hold before it gets no new streams. */
  readonly sessionMegabytes: number
  /** Resets an HTTP/2 peer may send at once, and how many it wins back each second (rapid reset, CVE-2023-44487). */
  readonly streamResetBurst: number
  readonly streamResetRate: number
  /** PING and SETTINGS frames an HTTP/2 peer may send in a second, beside those that go with requests and answers. */
  readonly controlFramesPerSecond: number
  /** Requests of an HTTP/2 session whose headers may be over the limits before the session is closed. */
  readonly rejectedHeaderBlocks: number
}

/** Strict for attackers, generous for everybody else. */
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

/** How often to look for peers that are over their time: often enough to be exact, seldom enough to cost nothing. */
export function sweepMs(limits: Limits): number {
  return Math.max(20, Math.min(1_000, Math.floor(Math.min(limits.headerMs, limits.exchangeMs, limits.idleMs) / 4)))
}
