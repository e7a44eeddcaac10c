/** What the PostgreSQL engine needs of the versions of documents (0048). */
import type { AnyKind } from '../../kind.ts'
import type { StoreObserver } from '../../observer.ts'
import type { Connection } from '../connection.ts'
import { sqlState, unavailable } from '../errors.ts'
import type { Pool } from '../pool.ts'
import { prepareIndexes, prepareSchema } from '../schema.ts'
import { buildSets } from './build.ts'
import { CatchUp } from './catch-up.ts'
import type { DocumentKinds } from './document-kinds.ts'
import { VersionUse } from './use.ts'

/** Raised by `mark_others_1`: the documents of this version were removed. */
const RETIRED_STATE = 'SG002'
const HEARTBEAT_MS = 60_000
const RETIRE_AFTER_MS = 600_000

export interface VersionOptions {
  readonly pool: Pool
  /** The name of this node. */
  readonly node: string
  readonly kinds: DocumentKinds
  readonly observer: StoreObserver
  readonly release?: string | undefined
  readonly heartbeatMs?: number | undefined
  readonly retireAfterMs?: number | undefined
  withConnection<Value>(use: (connection: Connection) => Promise<Value>): Promise<Value>
}

/** The versions of documents that one engine uses. */
export interface Versions {
  readonly catchUp: CatchUp
  /** Brings the database up to date and builds what is missing; returns the kinds that must be rebuilt. */
  prepare(kinds: readonly AnyKind[]): Promise<readonly AnyKind[]>
  /** Throws when this node is too old. */
  check(): void
  /** As above, for an answer of this history; returns undefined when nothing has to be asked. */
  confirm(history: string): Promise<void> | undefined
  /** What to throw when a commit failed. */
  translate(error: unknown): unknown
  stop(): Promise<void>
}

export function openVersions({ withConnection, ...options }: VersionOptions): Versions {
  const { pool, node, kinds, observer } = options
  const catchUp: CatchUp = new CatchUp({
    pool,
    kinds,
    checkEvents: (...about) => use.checkEvents(...about),
    onLostClaims: (kind, lost) => observer.claimsLost?.(kind, [...new Set(lost.map(({ id }) => id))]),
  })
  const use: VersionUse = new VersionUse({
    node,
    kinds,
    pool,
    catchUp,
    withConnection,
    release: options.release ?? '',
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    retireAfterMs: options.retireAfterMs ?? RETIRE_AFTER_MS,
    onOutdated: (error) => observer.outdated?.(error),
    onTrouble: (error) => observer.heartbeatFailed?.(error),
  })
  const check = (): void => {
    if (use.outdated !== undefined) throw unavailable(use.outdated)
  }
  return {
    catchUp,
    check,
    prepare: (wanted) =>
      withConnection(async (connection) => {
        const { stale, unbuilt } = await prepareSchema(connection, wanted, {
          documentKinds: kinds,
          register: () => use.register(connection),
        })
        use.start()
        if (unbuilt.length > 0) {
          await buildSets(connection, unbuilt, {
            catchUp,
            checkEvents: (...about) => use.checkEvents(...about),
            prepareIndexes: (on, sets) => prepareIndexes(on, sets, { dialect: kinds.dialect, mayDrop: true }),
            onProgress: (progress) => observer.building?.(progress),
          })
        }
        return stale
      }),
    confirm(history) {
      check()
      return use.confirm(history)?.catch((error: unknown) => {
        check()
        throw error
      })
    },
    translate(error) {
      if (!(error instanceof Error) || sqlState(error.cause) !== RETIRED_STATE) return error
      use.noteRetired()
      return unavailable(use.outdated)
    },
    stop: () => use.stop(),
  }
}
