/** The code of a hashing thread: it runs one task at a time synchronously and reports the time it took. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Argon2Costs, writeArgon2 } from './argon2.ts'
import { readHash, readSecretHash } from './formats.ts'
import { isCheck } from './reading.ts'

/** What a thread is started with. */
export interface ThreadData {
  /** Its priority on Linux. */
  readonly niceness: number
}

/** What a hashing thread can do. */
export type Task =
  | { readonly type: 'hash'; readonly password: Uint8Array; readonly nonce: Uint8Array; readonly costs: Argon2Costs }
  /** Returns which of these forms of a password matches the hash. */
  | {
      readonly type: 'verify'
      readonly hash: string
      readonly spellings: readonly Uint8Array[]
      /** The hash is one of a random secret. */
      readonly isSecret?: true
    }

/** The result of a task: the new hash, or the index of the matching form (-1 when none matches). */
export type Outcome = { readonly hash: string } | { readonly matching: number }

/** The reply of a thread. A failure contains its message; the thread continues. */
export type Answer =
  | { readonly outcome: Outcome; readonly milliseconds: number }
  | { readonly failure: string; readonly milliseconds: number }

function perform(task: Task): Outcome {
  if (task.type === 'hash') return { hash: writeArgon2(task.password, task.nonce, task.costs) }
  const reading = task.isSecret === true ? readSecretHash(task.hash) : readHash(task.hash)
  if (!isCheck(reading)) return { matching: -1 }
  return { matching: task.spellings.findIndex((spelling) => reading.matches(spelling)) }
}

function answer(task: Task): Answer {
  const startedAt = performance.now()
  try {
    const outcome = perform(task)
    return { outcome, milliseconds: performance.now() - startedAt }
  } catch (error) {
    return {
      failure: error instanceof Error ? error.message : String(error),
      milliseconds: performance.now() - startedAt,
    }
  }
}

/** Linux alone gives each thread a priority of its own; elsewhere this would slow the whole process. */
function lowerPriority({ niceness }: ThreadData): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(niceness)
  } catch {
    // A sandbox can forbid it; hashing then runs with normal priority.
  }
}

lowerPriority(workerData as ThreadData)

parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(task)))
