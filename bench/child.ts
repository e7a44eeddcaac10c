/** A server under measurement: a process of its own that tells its port and how much processor time it used. */
import { type ChildProcess, fork } from 'node:child_process'

export interface Server {
  readonly port: number
  /** Processor seconds (user and system, all threads) since it started. */
  processorSeconds(): Promise<number>
  stop(): Promise<void>
}

const running = new Set<ChildProcess>()

/** Counts `child` among the processes that `killRunning` ends. */
export function watchProcess(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** Ends the servers that a failed part left behind. */
export async function killRunning(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ended)
}

/** Starts `file`, which must call `serve`. */
export async function startServer(file: URL, args: readonly string[] = []): Promise<Server> {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  watchProcess(child)
  const { port } = await answer<{ port: number }>(child, 'port')
  return {
    port,
    processorSeconds: async () => {
      child.send('cpu')
      return (await answer<{ cpu: number }>(child, 'cpu')).cpu
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** In the child: says where it listens and answers for its processor time. */
export function serve(port: number): void {
  process.on('message', (message) => {
    if (message !== 'cpu') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: (user + system) / 1e6 })
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port })
}

function answer<Value>(child: ChildProcess, member: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: unknown) => {
      if (typeof message !== 'object' || message === null || !(member in message)) return
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(message as Value)
    }
    const onExit = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    child.on('message', onMessage)
    child.once('exit', onExit)
  })
}
