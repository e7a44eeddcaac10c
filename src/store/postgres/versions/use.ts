/**
 * Records which versions this node uses, says when they are gone, and tidies up after versions that no node uses any more
 * (0048).
 */
import { isArrival } from '../../arrival.ts'
import { NodeOutdated } from '../../outdated.ts'
import { ROWS_AT_ONCE } from '../../streams.ts'
import type { StoredEvent } from '../../types.ts'
import type { Connection } from '../connection.ts'
import { LOCKS, withFreeLock } from '../locks.ts'
import { migrations, OLDEST_SCHEMA } from '../migrations.ts'
import type { Pool } from '../pool.ts'
import type { CatchUp } from './catch-up.ts'
import { type DocumentKinds, type DocumentSet, LOADED, readFolds, readPlainVersions } from './document-kinds.ts'
import { isLeaving, releaseClaims, removeRetired, retireUnused } from './retire.ts'

export interface UseOptions {
  /** The name of this node. */
  readonly node: string
  readonly release: string
  readonly kinds: DocumentKinds
  readonly pool: Pool
  readonly catchUp: CatchUp
  /** How often the node says that it is there. */
  readonly heartbeatMs: number
  /** How long a version may be unused before it is removed. */
  readonly retireAfterMs: number
  withConnection<Value>(use: (connection: Connection) => Promise<Value>): Promise<Value>
  /** Called once, when this node is too old for the database. */
  onOutdated(error: NodeOutdated): void
  /** Called when a heartbeat or tidying up failed. */
  onTrouble(error: unknown): void
}

const BEAT = `with me as (update nodes set seen_at = now() where instance = 1 and node = $1 returning node),
  used as (update folds set seen_at = now() where instance = 1 and document_kind = any($2::text[]) and state <> 'retired')
  select (select count(*) from me) as known, (select count(*) from folds where instance = 1) as folds,
    coalesce((select version from versions where instance = 1 and name = '${OLDEST_SCHEMA}'), 0) as oldest`

/** While there are several versions, a node folds what is behind at least this often. */
const CATCH_UP_MS = 1_000
/** What a node does between two heartbeats must not keep it from the next. */
const REMOVAL_MS = 10_000

export class VersionUse {
  readonly #options: UseOptions
  #confirmed: string | undefined
  #outdated: NodeOutdated | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<unknown> = Promise.resolve()
  #isStopped = false
  #beatenAt = Number.NEGATIVE_INFINITY
  #hasSeveral = false

  constructor(options: UseOptions) {
    this.#options = options
  }

  /** Why this node must not be used any more. */
  get outdated(): NodeOutdated | undefined {
    return this.#outdated
  }

  /** Records the node and its versions; returns whether nodes of another release are there, too. */
  async register({ client }: Connection): Promise<boolean> {
    const { node, release, kinds, retireAfterMs } = this.#options
    await client.query(
      `insert into nodes (instance, node, release, folds) values (1, $1, $2, $3)
       on conflict (instance, node) do update set release = excluded.release, folds = excluded.folds,
         seen_at = excluded.seen_at`,
      [node, release, kinds.sets.map(({ kind }) => `${kind.name}@${kind.version}`)],
    )
    await client.query(
      `update folds set seen_at = now() where instance = 1 and document_kind = any($1::text[]) and state <> 'retired'`,
      [kinds.sets.map(({ documentKind }) => documentKind)],
    )
    const { rows } = await client.query(
      `select from nodes where instance = 1 and release <> $1 and seen_at > now() - $2 * interval '1 millisecond' limit 1`,
      [release, retireAfterMs],
    )
    return rows.length > 0
  }

  /** Begins to say that the node is there. */
  start(): void {
    if (this.#timer !== undefined || this.#isStopped) return
    const { heartbeatMs } = this.#options
    const again = (): void => {
      this.#timer = setTimeout(
        () => {
          this.#running = this.#tick()
            .catch((error: unknown) => this.#report(error))
            .then(again)
        },
        Math.min(heartbeatMs, this.#hasSeveral ? CATCH_UP_MS : heartbeatMs),
      )
      this.#timer.unref()
      if (this.#isStopped) clearTimeout(this.#timer)
    }
    again()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
    if (this.#timer === undefined) return
    const { pool, node } = this.#options
    await pool
      .read('node', ({ client }) => client.query('delete from nodes where instance = 1 and node = $1', [node]))
      .catch(() => {})
  }

  /**
   * Throws when the documents of this node are gone. `history` is part of every answer and changes when documents are
   * retired, so a query is needed only then.
   */
  confirm(history: string): Promise<void> | undefined {
    return history === this.#confirmed ? undefined : this.#confirm(history)
  }

  async #confirm(history: string): Promise<void> {
    const { pool, kinds } = this.#options
    const [folds, plain] = await pool.read('node', async (connection) => [
      await readFolds(connection),
      await readPlainVersions(connection),
    ])
    for (const { kind, documentKind } of kinds.sets) {
      const isThere =
        documentKind === kind.name
          ? [kind.version, LOADED, undefined].includes(plain.get(kind.name))
          : // Another node may be building the same version again.
            folds.some((fold) => fold.documentKind === documentKind && fold.state === 'ready')
      if (!isThere) throw this.noteRetired()
    }
    this.#confirmed = history
  }

  /** The documents of this node were removed because it was not seen for a long time. */
  noteRetired(): NodeOutdated {
    return this.#end(
      'This node was not seen for a while, and newer nodes have removed its version of the documents. Start it again, or the newer version.',
    )
  }

  /** Throws when a newer version wrote events that this one does not know. */
  async checkEvents({ client }: Connection, { kind }: DocumentSet, events: readonly StoredEvent[]): Promise<void> {
    const unknown = events.find(({ type }) => !Object.hasOwn(kind.events, type) && !isArrival({ type }))
    if (unknown === undefined) return
    const { rows } = await client.query<{ version: number | null }>(
      'select max(version) as version from folds where instance = 1 and kind = $1',
      [kind.name],
    )
    // Events that no newer version wrote are ignored, as they always were.
    if ((rows[0]?.version ?? 0) <= kind.version) return
    throw this.#end(
      `A newer version of Signet has written ${unknown.type} to ${kind.name} ${unknown.id}, which this version cannot read. Stop this node and start the newer version.`,
    )
  }

  #end(reason: string): NodeOutdated {
    if (this.#outdated === undefined) {
      this.#outdated = new NodeOutdated(reason)
      this.#options.onOutdated(this.#outdated)
    }
    return this.#outdated
  }

  /** The next heartbeat tries again. */
  #report(error: unknown): void {
    if (!(error instanceof NodeOutdated) && !this.#isStopped) this.#options.onTrouble(error)
  }

  async #tick(): Promise<void> {
    const { heartbeatMs, catchUp, kinds } = this.#options
    if (this.#outdated !== undefined) return
    if (performance.now() - this.#beatenAt >= heartbeatMs) await this.#beat()
    if (!this.#hasSeveral) return
    await catchUp.all(
      kinds.sets.map(({ documentKind }) => documentKind),
      ROWS_AT_ONCE,
    )
  }

  async #beat(): Promise<void> {
    const { pool, node, kinds, retireAfterMs } = this.#options
    const names = kinds.sets.map(({ documentKind }) => documentKind)
    const { rows } = await pool.read('node', ({ client }) =>
      client.query<{ known: number; folds: number; oldest: number }>(BEAT, [node, names]),
    )
    const [now] = rows
    this.#beatenAt = performance.now()
    if (now === undefined) return
    if (now.oldest > migrations.length) {
      throw this.#end(
        `The database has a schema that this version of Signet does not know. Stop this node and start the newer version.`,
      )
    }
    if (now.known === 0) await pool.read('node', (connection) => this.register(connection))
    await pool.read('node', ({ client }) =>
      client.query(`delete from nodes where instance = 1 and seen_at < now() - $1 * interval '1 millisecond'`, [
        retireAfterMs,
      ]),
    )
    this.#hasSeveral = now.folds > 0
    if (now.folds > 0) await this.#tidyUp(names)
  }

  async #tidyUp(names: readonly string[]): Promise<void> {
    const { kinds, retireAfterMs, catchUp, withConnection } = this.#options
    const isOver = () => this.#isStopped
    await withConnection(async (connection) => {
      await retireUnused(connection, kinds.sets, retireAfterMs)
      const folds = await readFolds(connection)
      this.#hasSeveral = folds.some(
        ({ kind, state, documentKind }) =>
          state !== 'retired' && !names.includes(documentKind) && kinds.sets.some((set) => set.kind.name === kind),
      )
      const leaving = folds.filter((fold) => isLeaving(fold) && kinds.sets.some((set) => set.kind.name === fold.kind))
      if (leaving.length === 0) return
      await withFreeLock(connection, LOCKS.removal, async () => {
        for (const set of kinds.sets) {
          if (set.kind.claims === undefined || !leaving.some(({ kind }) => kind === set.kind.name)) continue
          await catchUp.all([set.documentKind])
          await releaseClaims(connection, set, isOver)
        }
        const leavingNames = leaving.map(({ documentKind }) => documentKind)
        const deadline = performance.now() + REMOVAL_MS
        await removeRetired(connection, leavingNames, () => isOver() || performance.now() > deadline)
      })
    })
  }
}
