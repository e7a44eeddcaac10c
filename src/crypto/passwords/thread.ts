/** The inside of a hashing thread: takes one task at a time, does it synchronously, answers with how long it took. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Argon2Costs, writeArgon2 } from './argon2.ts'
import { readHash } from './formats.ts'
import { isCheck } from './reading.ts'

/** What a thread is started with. */
export interface ThreadData {
  /** Its priority on Linux. */
  readonly niceness: number
}

/** What a hashing thread can do. */
export type Task =
  | { readonly type: 'hash'; readonly password: Uint8Array; readonly nonce: Uint8Array; readonly costs: Argon2Costs }
  /** Which of these spellings of a password matches the hash? */
  | { readonly type: 'verify'; readonly hash: string; readonly spellings: readonly Uint8Array[] }

/** What came of a task: the new hash, or the index of the spelling that matches (-1 when none does). */
export type Outcome = { readonly hash: string } | { readonly matching: number }

/** What a thread posts back. A failure is told by its message; the thread lives on. */
export type Answer =
  | { readonly outcome: Outcome; readonly milliseconds: number }
  | { readonly failure: string; readonly milliseconds: number }

function perform(task: Task): Outcome {
  if (task.type === 'hash') return { hash: writeArgon2(task.password, task.nonce, task.costs) }
  const reading = readHash(task.hash)
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
    // A sandbox may forbid it; hashing at the usual priority is still right.
  }
}

lowerPriority(workerData as ThreadData)

parentPort?.on('message', (task: Task) => parentPort?.postMessage(answer(task)))
