/**
 * Removes streams from the log of SQLite. Readers learn of changes from new events. A removal leaves none, so it records
 * the kind instead, with the sequence of the removal, in the table `versions`.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { GuardRow } from '../engine.ts'

// The name is in existing databases.
const PREFIX = 'forgotten.'

/** Selects the kinds whose streams were removed after a sequence, as changed streams without an id. */
export const removedSince = `select substr(name, ${PREFIX.length + 1}), null from versions
  where instance = 1 and name >= '${PREFIX}' and name < 'forgotten/' and version > ?`

/** The stream `id`, `kind`, by its index: by itself, SQLite might read the whole log. */
export const eventsOfStream = 'events indexed by "events_by_stream" where instance = 1 and id = ? and kind = ?'

/** Deletes the events and the document of a stream. */
export const deletions: readonly string[] = [
  `delete from ${eventsOfStream}`,
  'delete from documents indexed by "documents_by_id" where instance = 1 and id = ? and kind = ?',
]

export interface StreamRemover {
  /** Deletes the events and documents of these streams. */
  remove(streams: readonly GuardRow[]): void
  /** Tells readers of all removals since the last call, before the commit; `sequence` is the last of the batch. */
  tellReaders(sequence: number): void
}

/** Both methods are part of the caller's transaction. */
export function streamRemover(database: DatabaseSync): StreamRemover {
  const statements = deletions.map((sql) => database.prepare(sql))
  const recordKind = database.prepare(
    `insert or replace into versions (instance, name, version) values (1, '${PREFIX}' || ?, ?)`,
  )
  const kinds = new Set<string>()
  return {
    remove(streams) {
      for (const { kind, id } of streams) {
        for (const statement of statements) statement.run(id, kind)
        kinds.add(kind)
      }
    },
    tellReaders(sequence) {
      for (const kind of kinds) recordKind.run(kind, sequence)
      kinds.clear()
    },
  }
}
