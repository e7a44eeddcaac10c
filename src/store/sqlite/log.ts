/** Reads streams of the log in SQLite. */

import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { actorOfText } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { AnyKind } from '../kind.ts'
import { groupStreams, ROWS_AT_ONCE } from '../streams.ts'
import type { StoredEvent } from '../types.ts'
import { eventsOfStream } from './remove-streams.ts'
import type { All } from './search.ts'

/** Columns of `events` that `storedEvent` reads. */
export const eventColumns = 'sequence, kind, id, revision, type, data, actor, owner, at'
const STREAM = `select ${eventColumns} from ${eventsOfStream} order by revision`
/** A row of `events` with the columns of `eventColumns`. */
export type EventValues = [number, string, string, number, string, string, string, string, number]

export function storedEvent(values: EventValues): StoredEvent {
  const [sequence, kind, id, revision, type, data, actor, owner, at] = values
  return {
    sequence,
    kind,
    id,
    revision,
    type,
    data: JSON.parse(data),
    actor: actorOfText(actor),
    owner,
    at: at as Instant,
  }
}

/** The rows of a statement in portions; other work of the process continues between them. */
export async function* portions<Row>(database: DatabaseSync, sql: string, ...parameters: (string | number)[]) {
  const rows = database.prepare(sql, { returnArrays: true }).iterate(...parameters)
  let portion: Row[] = []
  for (const row of rows) {
    portion.push(row as unknown as Row)
    if (portion.length < ROWS_AT_ONCE) continue
    yield portion
    portion = []
    await nextTurn()
  }
  if (portion.length > 0) yield portion
}

/** All streams of a kind, by id. */
export function streamsOf(database: DatabaseSync, { name }: AnyKind): Generator<readonly StoredEvent[]> {
  const sql = `select ${eventColumns} from events indexed by "events_by_stream" where instance = 1 and kind = ? order by id, revision`
  const rows = database.prepare(sql, { returnArrays: true }).iterate(name)
  return groupStreams(rows.map((row) => storedEvent(row as unknown as EventValues)))
}

/** All events of a stream, in order. */
export function readStream(all: All, kind: string, id: string): readonly StoredEvent[] {
  return (all(STREAM, id, kind) as EventValues[]).map(storedEvent)
}
