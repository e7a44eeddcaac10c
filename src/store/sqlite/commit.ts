/** Writes one batch of commits into SQLite, in one transaction, each commit with its own outcome. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
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

/** Returns a function that writes batches. It throws when nothing of the batch was written. */
export function batchWriter(database: DatabaseSync): (commits: readonly Commit[]) => number[] {
  const prepare = (sql: string): StatementSync => database.prepare(sql, { returnArrays: true })
  const selectSequence = prepare('select sequence from instances where id = 1')
  const setSequence = prepare('update instances set sequence = ? where id = 1')
  const selectRevision = prepare('select revision from documents where instance = 1 and kind = ? and id = ?')
  const selectClaimHolder = prepare('select id from claims where instance = 1 and kind = ? and value = ?')
  const changeDocument = prepare(
    'update documents set state = ?, gone = ?, revision = ?, sequence = ?, changed_at = ? where instance = 1 and kind = ? and id = ?',
  )
  // It has to change a value: SQLite does not write a page that stays the same.
  const touchDisk = prepare(
    `insert into versions (instance, name, version) values (1, 'lingered', 1) on conflict do update set version = version + 1`,
  )
  const releaseClaim = prepare('delete from claims where instance = 1 and kind = ? and value = ? and id = ?')
  const events = collectInserts(database, 'events', [
    ...['sequence', 'kind', 'id', 'revision', 'type', 'data', 'actor', 'owner', 'at'],
  ])
  const documents = collectInserts(database, 'documents', [
    ...['kind', 'id', 'owner', 'state', 'gone', 'revision', 'sequence', 'created_at', 'changed_at'],
  ])
  // A stream may claim again what it already holds.
  const claims = collectInserts(database, 'claims', ['kind', 'value', 'id', 'holder_kind'], ' on conflict do nothing')
  const jobs = collectInserts(database, 'jobs', [
    ...['id', 'kind', 'data', 'due_at', 'leased_until', 'attempts', 'parked', 'error'],
  ])

  const removing = streamRemover(database)

  const revisionOf = (kind: string, id: string): number => {
    const row = selectRevision.get(kind, id) as unknown as [number] | undefined
    return row === undefined ? 0 : row[0]
  }

  /**
   * Revisions of guarded documents, most often of one and the same organization. They hold for the whole batch, because
   * no commit of it changes what another one guards.
   */
  let guarded: [kind: string, id: string, revision: number][] = []
  const guardedRevision = (kind: string, id: string): number => {
    const known = guarded.find((one) => one[1] === id && one[0] === kind)
    if (known !== undefined) return known[2]
    const revision = revisionOf(kind, id)
    if (guarded.length < REMEMBERED_GUARDS) guarded.push([kind, id, revision])
    return revision
  }

  /** Why a commit cannot be written, if so. Commits of one batch do not touch each other, so each is checked alone. */
  const refusalOf = (commit: Commit): number | undefined => {
    for (const { kind, id, expected } of commit.changes) if (revisionOf(kind, id) !== expected) return CONFLICT
    for (const { kind, id, expected } of commit.guards) if (guardedRevision(kind, id) !== expected) return CONFLICT
    for (const { kind, id, expected } of commit.removed) if (revisionOf(kind, id) !== expected) return CONFLICT
    for (const [index, claim] of commit.claims.entries()) {
      const holder = selectClaimHolder.get(claim.kind, claim.value) as unknown as [string] | undefined
      if (holder === undefined || holder[0] === claim.id) continue
      const released = commit.released.some(
        ({ kind, value, id }) => kind === claim.kind && value === claim.value && id === holder[0],
      )
      if (!released) return takenNumber(index)
    }
    return undefined
  }

  /** Writes a commit that passed the checks; returns the sequence of its last event. */
  const apply = (commit: Commit, start: number): number => {
    const { actor, at } = commit
    let sequence = start
    for (const { kind, id, owner, expected, state, gone, events: newEvents } of commit.changes) {
      let revision = expected
      for (const { type, data } of newEvents) {
        events.add(++sequence, kind, id, ++revision, type, data, actor, owner, at)
      }
      if (expected === 0) documents.add(kind, id, owner, state, gone ? 1 : 0, revision, sequence, at, at)
      else changeDocument.run(state, gone ? 1 : 0, revision, sequence, at, kind, id)
    }
    removing.remove(commit.removed)
    for (const { kind, value, id } of commit.released) releaseClaim.run(kind, value, id)
    for (const { kind, value, id, of } of commit.claims) claims.add(kind, value, id, of)
    for (const { id, kind, data, dueAt } of commit.jobs) jobs.add(id, kind, data, dueAt, 0, 0, 0, '')
    return sequence
  }

  return (commits) => {
    guarded = []
    database.exec('begin immediate')
    const first = (selectSequence.get() as unknown as [number])[0]
    let sequence = first
    const outcomes = commits.map((commit) => {
      const refusal = refusalOf(commit)
      if (refusal !== undefined) return refusal
      sequence = apply(commit, sequence)
      return sequence
    })
    for (const table of [events, documents, claims, jobs]) table.flush()
    removing.tellReaders(sequence)
    if (sequence !== first) setSequence.run(sequence)
    else if (commits.some(({ waitsForDisk }) => waitsForDisk)) touchDisk.run()
    database.exec('commit')
    return outcomes
  }
}
