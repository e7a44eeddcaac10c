/**
 * What backups, moves and checks need of a database: its log as rows, read in one snapshot, and a way to load a log into an
 * empty database. Documents and claims are not copied: they are folded from the log again.
 */
import type { CountRow } from '../counters.ts'
import type { AnyKind } from '../kind.ts'
import type { StoredEvent } from '../types.ts'

/** An event as the table holds it, in the order of its columns: sequence, kind, id, revision, type, data, actor, owner, at. */
export type EventLine = readonly [number, string, string, number, string, string, string, string, number]

/** A job as the table holds it: id, kind, data, due at, attempts, parked, error. Leases are not copied. */
export type JobLine = readonly [string, string, string, number, number, boolean, string]

/** A document as the table holds it, with its claims. */
export interface StoredDocument {
  readonly id: string
  readonly owner: string
  readonly state: string
  /** The state whose fields are in the indexes, if it is another one (0052). */
  readonly indexed: string | null
  readonly gone: boolean
  readonly revision: number
  readonly sequence: number
  readonly createdAt: number
  readonly changedAt: number
  /** The event up to which it must be folded again before it is used (0048); null when it is up to date. */
  readonly behind: number | null
}

/** A version of a kind's documents. */
export interface StoredVersion {
  readonly version: number
  /** The name under which its documents are stored. */
  readonly documentKind: string
  /** Whether it is complete. */
  readonly isReady: boolean
}

export interface StoredClaim {
  readonly id: string
  readonly kind: string
  readonly value: string
}

/** The database at one moment. All reads see the same commits, whatever is written meanwhile. */
export interface Snapshot {
  readonly engine: 'sqlite' | 'postgres'
  /** Number of the last event. */
  readonly sequence: number
  readonly eventCount: number
  readonly jobCount: number
  /** The log after a sequence, in its order. */
  events(after?: number): AsyncIterable<readonly EventLine[]>
  jobs(): AsyncIterable<readonly JobLine[]>
  /** The streams of a kind, by id. */
  streams(kind: AnyKind): AsyncIterable<readonly StoredEvent[]>
  /** The documents that are stored under a name, by id. */
  documents(documentKind: string): AsyncIterable<StoredDocument>
  /** The claims that streams of a kind hold, by the id of the stream. */
  claims(kind: AnyKind): AsyncIterable<StoredClaim>
  counters(): AsyncIterable<readonly CountRow[]>
  /** The versions of a kind's documents; none before the first start with this kind. */
  versions(kind: AnyKind): Promise<readonly StoredVersion[]>
  close(): Promise<void>
}

/** Loads a log into a database. A server refuses to start on it until `finish`. */
export interface Loader {
  /** Number of the last event that is there already, from an attempt that was interrupted. */
  readonly loaded: number
  addEvents(lines: readonly EventLine[]): Promise<void>
  addJobs(lines: readonly JobLine[]): Promise<void>
  /** Sets the sequence and opens the database for servers. */
  finish(sequence: number): Promise<void>
  close(): Promise<void>
}

/** Marks in the table of versions that keep a server from starting. */
export const MARKS = {
  /** A log is being loaded. */
  loading: 'transfer.loading',
  /** The data was moved to another database. */
  moved: 'transfer.moved',
} as const

/** Why no server starts on a database with a mark; undefined when it has none. */
export function reasonOfMark(marks: readonly string[]): string | undefined {
  if (marks.includes(MARKS.moved))
    return 'The data of this database was moved to another one. Start Signet with that one.'
  if (marks.includes(MARKS.loading)) {
    return 'Loading data into this database was interrupted. Run the same restore or move command again.'
  }
  return undefined
}

/** Thrown for a database that a command or a start must not use; the message is for the operator. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused'
}
