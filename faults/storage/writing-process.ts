/** Starts and watches `writing-child.ts`, the process that is made to be killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type History, readHistory } from './history.ts'

const CHILD = join(import.meta.dirname, 'writing-child.ts')

export interface WritingOptions {
  readonly synchronous?: 'FULL' | 'OFF'
  /** Whether it acknowledges before it writes: the control. */
  readonly acknowledgesEarly?: boolean
  readonly clients?: number
}

export interface WritingProcess {
  readonly child: ChildProcess
  /** Lets it open the file and write; resolves after its first acknowledgement. */
  begin(): Promise<void>
  /** Kills it and tells what it had said. */
  kill(): Promise<History>
  /** Stops its threads as a power cut would; resolves when all it had said was heard. */
  freeze(): Promise<History>
}

/** Starts clients on `file`, eight unless told otherwise; they wait for `begin`. */
export function startWriting(file: string, options: WritingOptions = {}): WritingProcess {
  const { synchronous = 'FULL', acknowledgesEarly = false, clients = 8 } = options
  const moment = acknowledgesEarly ? 'early' : 'late'
  const child = spawn(process.execPath, [CHILD, file, synchronous, String(clients), moment], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let output = ''
  const acknowledged = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (output.includes('\nok ')) resolve()
    })
  })
  const stillRuns = (): void => {
    if (child.exitCode !== null) throw new Error('the child ended by itself')
  }
  return {
    child,
    async begin() {
      child.stdin.end('go\n')
      await Promise.race([acknowledged, closed])
      stillRuns()
    },
    async kill() {
      stillRuns()
      child.kill('SIGKILL')
      await closed
      return readHistory(output)
    },
    async freeze() {
      child.kill('SIGSTOP')
      // What is still in the pipe arrives within a few turns; the rest was never said.
      for (let before = -1; before !== output.length; ) {
        before = output.length
        for (let turn = 0; turn < 20; turn++) await nextTurn()
      }
      return readHistory(output)
    },
  }
}
