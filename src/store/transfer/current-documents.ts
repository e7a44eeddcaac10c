/** The documents of a kind as this version of the program folds them, whatever versions the database has (0048). */
import { datesOfStream } from '../arrival.ts'
import { rebuildFold } from '../fold.ts'
import type { AnyKind } from '../kind.ts'
import type { Snapshot } from './types.ts'

/** A document without its revision. */
export interface CurrentDocument {
  readonly id: string
  readonly owner: string
  readonly state: string
  readonly gone: boolean
  readonly createdAt: number
  readonly changedAt: number
}

/** The documents of a kind, by id. They are folded from the log unless those of this version are complete and the only ones. */
export async function* currentDocuments(snapshot: Snapshot, kind: AnyKind): AsyncGenerator<CurrentDocument> {
  const versions = await snapshot.versions(kind)
  const [only] = versions
  if (only === undefined || (versions.length === 1 && only.version === kind.version && only.isReady)) {
    yield* snapshot.documents(only?.documentKind ?? kind.name)
    return
  }
  const fold = rebuildFold(kind)
  for await (const events of snapshot.streams(kind)) {
    const [first] = events
    const dates = datesOfStream(events)
    if (first !== undefined && dates !== undefined)
      yield { id: first.id, owner: first.owner, ...fold(events), ...dates }
  }
}
