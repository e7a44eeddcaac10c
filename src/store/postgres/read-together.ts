/** Reads of single streams or documents that are asked for at the same time go together. */
import { isStorableText } from '../text.ts'

/** A stream, or the document of it. */
export interface Wanted {
  readonly kind: string
  readonly id: string
}

interface Waiting<Value> extends Wanted {
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 200

/** How the values that `readTogether` gives out are found again. */
export function wantedKey({ kind, id }: Wanted): string {
  return `${kind}\0${id}`
}

/**
 * Reads by id. What is asked for while the lanes are busy goes together in one call of `read`: under load that costs a
 * fraction of single reads, and without load nobody waits. Nobody gets what was read before they asked. `read` answers
 * by `wantedKey`.
 */
export function readTogether<Value>(
  lanes: number,
  read: (batch: readonly Wanted[]) => Promise<ReadonlyMap<string, Value>>,
): (kind: string, id: string) => Promise<Value | undefined> {
  const waiting: Waiting<Value>[] = []
  let busy = 0

  const run = async (): Promise<void> => {
    busy += 1
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_AT_ONCE)
      try {
        const found = await read(batch)
        for (const wanted of batch) wanted.resolve(found.get(wantedKey(wanted)))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    busy -= 1
  }

  return (kind, id) =>
    new Promise((resolve, reject) => {
      // Nothing has such an id, and PostgreSQL would fail, with all that is read in the same statement.
      if (!isStorableText(id)) {
        resolve(undefined)
        return
      }
      waiting.push({ kind, id, resolve, reject })
      // After the current turn, so that reads asked for side by side go side by side.
      if (waiting.length === 1 && busy < lanes) queueMicrotask(() => void (waiting.length > 0 && busy < lanes && run()))
    })
}
