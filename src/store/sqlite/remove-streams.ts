/**
 * Streams that leave the log of SQLite. Their events are what readers learn of changes by, so readers are told by a
 * number of the kind instead: the sequence by which something of it has left.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { GuardRow } from '../engine.ts'

const PREFIX = 'forgotten.'

/** The kinds of which streams have left since a sequence, in the form of changed streams without an id. */
export const forgottenSince = `select substr(name, ${PREFIX.length + 1}), null from versions
  where instance = 1 and name >= '${PREFIX}' and name < 'forgotten/' and version > ?`

/** The stream `id`, `kind`, by the index: with few statistics, SQLite would rather read the whole log. */
export const eventsOfStream = 'events indexed by "events_by_stream" where instance = 1 and id = ? and kind = ?'

/** Delete what a stream has in each table. */
export const deletions: readonly string[] = [
  `delete from ${eventsOfStream}`,
  'delete from documents indexed by "documents_by_id" where instance = 1 and id = ? and kind = ?',
]

export interface StreamForgetter {
  /** Deletes the events and documents of these streams. */
  forget(streams: readonly GuardRow[]): void
  /** Tells readers, before the commit, of everything forgotten since the last call; `sequence` is the batch's last. */
  tell(sequence: number): void
}

/** Both steps are part of the caller's transaction. */
export function streamForgetter(database: DatabaseSync): StreamForgetter {
  const statements = deletions.map((sql) => database.prepare(sql))
  const tellReaders = database.prepare(
    `insert or replace into versions (instance, name, version) values (1, '${PREFIX}' || ?, ?)`,
  )
  const kinds = new Set<string>()
  return {
    forget(streams) {
      for (const { kind, id } of streams) {
        for (const statement of statements) statement.run(id, kind)
        kinds.add(kind)
      }
    },
    tell(sequence) {
      for (const kind of kinds) tellReaders.run(kind, sequence)
      kinds.clear()
    },
  }
}
