/** Writes one batch of commits into SQLite, in one transaction, each commit with its own outcome. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { Tally } from '../counters.ts'
import type { Commit } from '../engine.ts'
import { CONFLICT, takenNumber } from './batch.ts'
import { streamRemover } from './remove-streams.ts'

type Value = string | number

/** Rows per statement, largest first: with many rows, SQLite keeps its position in each index from row to row. */
const CHUNKS = [64, 16, 4, 1] as const

/** Beyond this number, searching the remembered guards would cost more than asking the database. */
const REMEMBERED_GUARDS = 8

interface Inserts {
  /** One row, in the order of the columns. */
  add(...row: readonly Value[]): void
  flush(): void
}

/** Collects rows for one table and inserts many at a time. It adds the column `instance` itself. */
function collectInserts(database: DatabaseSync, table: string, columns: readonly string[], suffix = ''): Inserts {
  const width = columns.length
  const row = `(1${', ?'.repeat(width)})`
  const head = `insert or rollback into ${table} (instance, ${columns.join(', ')}) values `
  const statements = CHUNKS.map((rows) => database.prepare(`${head}${Array(rows).fill(row).join(', ')}${suffix}`))
  let values: Value[] = []
  return {
    add(...row) {
      for (const value of row) values.push(value)
    },
    flush() {
      if (values.length === 0) return
      const all = values
      values = []
      let start = 0
      for (const [index, rows] of CHUNKS.entries()) {
        const size = rows * width
        for (; all.length - start >= size; start += size) statements[index]?.run(...all.slice(start, start + size))
      }
    },
  }
}

/** The statements of the writer, prepared once. */
function prepareStatements(database: DatabaseSync) {
  const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true })
  return {
    sequence: prepare('select sequence from instances where id = 1'),
    setSequence: prepare('update instances set sequence = ? where id = 1'),
    revision: prepare('select revision from documents where instance = 1 and kind = ? and id = ?'),
    claimHolder: prepare('select id from claims where instance = 1 and kind = ? and value = ?'),
    // A document that is gone stays so.
    endDocument: prepare(
      'update documents set state = ?, newer_state = null, revision = ?, sequence = ?, changed_at = ?, gone = 1 where instance = 1 and kind = ? and id = ?',
    ),
    // All field indexes contain values of `state`. SQLite writes those of a row again whenever that column is set.
    keepFields: prepare(
      'update documents set newer_state = ?, revision = ?, sequence = ?, changed_at = ? where instance = 1 and kind = ? and id = ?',
    ),
    // It has to change a value: SQLite does not write a page that stays the same.
    touchDisk: prepare(
      `insert into versions (instance, name, version) values (1, 'waits', 1) on conflict do update set version = version + 1`,
    ),
    releaseClaim: prepare('delete from claims where instance = 1 and kind = ? and value = ? and id = ?'),
  }
}

const DOCUMENT = ['kind', 'id', 'owner', 'state', 'gone', 'revision', 'sequence', 'created_at', 'changed_at'] as const

const COUNTER = ['kind', 'scope', 'hour', 'name', 'n'] as const
const ADD_TO_COUNTER = ' on conflict (instance, kind, scope, hour, name) do update set n = n + excluded.n'

/** The tables that commits insert into; rows are collected and inserted together. */
function openInserts(database: DatabaseSync) {
  return {
    events: collectInserts(database, 'events', [
      ...['sequence', 'kind', 'id', 'revision', 'type', 'data', 'actor', 'owner', 'at'],
    ]),
    documents: collectInserts(database, 'documents', DOCUMENT),
    // One statement for many documents, because SQLite opens all indexes of the table for each statement. It does not set
    // `gone`, so that the indexes that contain nothing else of what changes are left alone.
    changed: collectInserts(
      database,
      'documents',
      DOCUMENT,
      ` on conflict (instance, kind, id) do update set
        state = excluded.state, newer_state = null, revision = excluded.revision, sequence = excluded.sequence,
        changed_at = excluded.changed_at`,
    ),
    // A stream may claim again what it already holds.
    claims: collectInserts(database, 'claims', ['kind', 'value', 'id', 'holder_kind'], ' on conflict do nothing'),
    counters: collectInserts(database, 'counters', COUNTER, ADD_TO_COUNTER),
    jobs: collectInserts(database, 'jobs', [
      ...['id', 'kind', 'data', 'due_at', 'leased_until', 'attempts', 'parked', 'error'],
    ]),
  }
}

/** Writes batches of commits. */
export class BatchWriter {
  readonly #database: DatabaseSync
  readonly #statements: ReturnType<typeof prepareStatements>
  readonly #inserts: ReturnType<typeof openInserts>
  readonly #removing: ReturnType<typeof streamRemover>
  readonly #counted = new Tally()
  /**
   * Revisions of guarded documents, most often of one and the same organization. They hold for the whole batch, because
   * no commit of it changes what another one guards.
   */
  #guarded: [kind: string, id: string, revision: number][] = []

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#statements = prepareStatements(database)
    this.#inserts = openInserts(database)
    this.#removing = streamRemover(database)
  }

  /** Writes a batch and answers the outcome of each commit; throws when nothing of the batch was written. */
  write(commits: readonly Commit[]): number[] {
    this.#guarded = []
    this.#database.exec('begin immediate')
    const first = (this.#statements.sequence.get() as unknown as [number])[0]
    let sequence = first
    const outcomes = commits.map((commit) => {
      const refusal = this.#refusalOf(commit)
      if (refusal !== undefined) return refusal
      sequence = this.#apply(commit, sequence)
      return sequence
    })
    const { events, documents, changed, claims, jobs, counters } = this.#inserts
    for (const { kind, scope, hour, name, n } of this.#counted.take()) counters.add(kind, scope, hour, name, n)
    for (const table of [events, documents, changed, claims, jobs, counters]) table.flush()
    this.#removing.tellReaders(sequence)
    if (sequence !== first) this.#statements.setSequence.run(sequence)
    else if (commits.some(({ waitsForDisk }) => waitsForDisk)) this.#statements.touchDisk.run()
    this.#database.exec('commit')
    return outcomes
  }

  #revisionOf(kind: string, id: string): number {
    const row = this.#statements.revision.get(kind, id) as unknown as [number] | undefined
    return row === undefined ? 0 : row[0]
  }

  #guardedRevision(kind: string, id: string): number {
    const known = this.#guarded.find((one) => one[1] === id && one[0] === kind)
    if (known !== undefined) return known[2]
    const revision = this.#revisionOf(kind, id)
    if (this.#guarded.length < REMEMBERED_GUARDS) this.#guarded.push([kind, id, revision])
    return revision
  }

  /** Why a commit cannot be written, if so. Commits of one batch do not touch each other, so each is checked alone. */
  #refusalOf(commit: Commit): number | undefined {
    for (const { kind, id, expected } of commit.changes) if (this.#revisionOf(kind, id) !== expected) return CONFLICT
    for (const { kind, id, expected } of commit.guards) {
      if (this.#guardedRevision(kind, id) !== expected) return CONFLICT
    }
    for (const { kind, id, expected } of commit.removed) if (this.#revisionOf(kind, id) !== expected) return CONFLICT
    for (const [index, claim] of commit.claims.entries()) {
      const holder = this.#statements.claimHolder.get(claim.kind, claim.value) as unknown as [string] | undefined
      if (holder === undefined || holder[0] === claim.id) continue
      const released = commit.released.some(
        ({ kind, value, id }) => kind === claim.kind && value === claim.value && id === holder[0],
      )
      if (!released) return takenNumber(index)
    }
    return undefined
  }

  /** Writes a commit that passed the checks; returns the sequence of its last event. */
  #apply(commit: Commit, start: number): number {
    const { actor, at } = commit
    const { events, documents, changed, claims, jobs } = this.#inserts
    let sequence = start
    for (const { kind, id, owner, expected, state, gone, dates, sameFields, events: newEvents } of commit.changes) {
      const { createdAt, changedAt } = dates ?? { createdAt: at, changedAt: at }
      let revision = expected
      for (const { type, data } of newEvents) {
        events.add(++sequence, kind, id, ++revision, type, data, actor, owner, at)
      }
      if (expected === 0) documents.add(kind, id, owner, state, gone ? 1 : 0, revision, sequence, createdAt, changedAt)
      else if (gone) this.#statements.endDocument.run(state, revision, sequence, changedAt, kind, id)
      else if (sameFields) this.#statements.keepFields.run(state, revision, sequence, changedAt, kind, id)
      else changed.add(kind, id, owner, state, 0, revision, sequence, createdAt, changedAt)
    }
    this.#removing.remove(commit.removed)
    for (const { kind, value, id } of commit.released) this.#statements.releaseClaim.run(kind, value, id)
    for (const { kind, value, id, of } of commit.claims) claims.add(kind, value, id, of)
    for (const { id, kind, data, dueAt } of commit.jobs) jobs.add(id, kind, data, dueAt, 0, 0, 0, '')
    this.#counted.add(commit.counts)
    return sequence
  }
}
