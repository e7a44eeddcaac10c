/** Combines concurrent reads of single documents or streams into one statement. */
import { isStorableText } from '../text.ts'

/** The key of a stream and of its document. */
export interface Wanted {
  readonly kind: string
  readonly id: string
}

interface Waiting<Value> extends Wanted {
  readonly since: number
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (error: unknown) => void
}

const MOST_AT_ONCE = 200

/** Reads by id, and says how long reads wait. */
export interface ReadTogether<Value> {
  (kind: string, id: string): Promise<Value | undefined>
  /** How long the oldest read has waited, in milliseconds, when more wait than go into one statement; 0 otherwise. */
  delayMs(): number
}

/** The key by which `read` returns the values to `readTogether`. */
export function wantedKey({ kind, id }: Wanted): string {
  return `${kind}\0${id}`
}

/**
 * Reads by id. Reads that arrive while all `lanes` are busy go together in one call of `read`: under load that costs a
 * fraction of single reads, and without load no caller waits. No caller gets a value that was read before its call.
 * `read` returns the values by `wantedKey`.
 */
export function readTogether<Value>(
  lanes: number,
  read: (batch: readonly Wanted[]) => Promise<ReadonlyMap<string, Value>>,
): ReadTogether<Value> {
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

  const readOne = (kind: string, id: string): Promise<Value | undefined> =>
    new Promise((resolve, reject) => {
      // No document has such an id, and PostgreSQL would fail the whole statement with all its other reads.
      if (!isStorableText(id)) {
        resolve(undefined)
        return
      }
      waiting.push({ kind, id, since: performance.now(), resolve, reject })
      // In a microtask, so that reads of the same moment share a statement.
      if (waiting.length === 1 && busy < lanes) queueMicrotask(() => void (waiting.length > 0 && busy < lanes && run()))
    })
  const delayMs = () => {
    const [oldest] = waiting
    return oldest === undefined || waiting.length <= MOST_AT_ONCE ? 0 : performance.now() - oldest.since
  }
  return Object.assign(readOne, { delayMs })
}
