/** A server under measurement: a process of its own that tells its port. */
import { type ChildProcess, fork } from 'node:child_process'
import { processorSecondsOf } from './processor-time.ts'

export interface Server {
  readonly port: number
  /** Asks a preloaded module, see `askChild`. */
  ask(question: string): Promise<unknown>
  /** Processor seconds (user and system, all threads) since it started. */
  processorSeconds(): Promise<number>
  stop(): Promise<void>
}

/** Starts `file`, which must call `serve`, after the modules of `preload`. */
export async function startServer(
  file: URL,
  args: readonly string[] = [],
  preload: readonly URL[] = [],
): Promise<Server> {
  const execArgv = preload.map(({ href }) => `--import=${href}`)
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv })
  const port = (await answerOf(child, 'port')) as number
  return {
    port,
    ask: (question) => askChild(child, question),
    processorSeconds: async () => processorSecondsOf(child.pid as number),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** In the child: says where it listens. */
export function serve(port: number): void {
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port })
}

/** Sends `question` and waits for a message that has it as a member, whose value is the answer. */
export function askChild(child: ChildProcess, question: string): Promise<unknown> {
  const answer = answerOf(child, question)
  child.send(question)
  return answer
}

function answerOf(child: ChildProcess, member: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !(member in message)) return
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve((message as Readonly<Record<string, unknown>>)[member])
    }
    const onExit = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.on('message', onMessage)
    child.once('exit', onExit)
  })
}
