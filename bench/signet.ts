/** The real server, started the way an operator starts it, in a fresh data folder unless another one is given. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { askChild } from './child.ts'
import { sleep } from './load.ts'
import { processorSecondsOf } from './processor-time.ts'

export interface Signet {
  readonly port: number
  readonly token: string
  readonly readyAfterMs: number
  /** Asks a preloaded module, see `askChild`. */
  ask(question: string): Promise<unknown>
  /** Of the server and its workers. */
  processorSeconds(): Promise<number>
  residentMegabytes(): Promise<number>
  stop(): Promise<void>
}

export interface SignetOptions {
  /** Modules that the process loads before the server, and that may talk to this one. */
  readonly preload?: readonly URL[]
  /** Further settings. */
  readonly environment?: Readonly<Record<string, string>>
  /** Of a further node: the token that the first one created. */
  readonly token?: string
  /** A data folder that stays after the server has stopped. */
  readonly dataFolder?: string
  /** The checkout whose server is started; without it, this one. */
  readonly checkout?: URL
}

/** Settings for loads that look for the maximum: nothing is refused. */
export const UNLIMITED = { SIGNET_OVERLOAD_TARGET: '0' } as const

const HERE = new URL('../', import.meta.url)

export async function startSignet(
  databaseUrl?: string,
  { preload = [], environment = {}, token: given, dataFolder, checkout = HERE }: SignetOptions = {},
): Promise<Signet> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'signet-bench-')))
  const port = await freePort()
  const began = performance.now()
  const imports = preload.map(({ href }) => `--import=${href}`)
  const child = spawn(process.execPath, [...imports, fileURLToPath(new URL('src/main.js', checkout)), 'start'], {
    stdio: ['ignore', 'ignore', 'inherit', ...(preload.length > 0 ? (['ipc'] as const) : [])],
    env: {
      PATH: process.env.PATH,
      SIGNET_SUPERVISE: 'false',
      SIGNET_LISTEN: `127.0.0.1:${port}`,
      SIGNET_DATA_DIR: folder,
      SIGNET_LOG_LEVEL: 'error',
      ...(databaseUrl
        ? { SIGNET_DATABASE_URL: databaseUrl, SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }
        : {}),
      ...environment,
    },
  })
  await untilReady(child, port)
  const readyAfterMs = performance.now() - began
  const token = given ?? (await readFile(join(folder, 'admin.pat'), 'utf8')).trim()
  return {
    port,
    token,
    readyAfterMs,
    ask: (question) => askChild(child, question),
    processorSeconds: async () => processorSecondsOf(child.pid as number),
    residentMegabytes: () => residentMegabytes(child.pid as number),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      if (dataFolder === undefined) await rm(folder, { recursive: true })
    },
  }
}

async function untilReady(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await sleep(10)
  }
}

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Calls a method over REST; a server has the token of the first administrator. */
export async function post<Answer>(
  { port, token }: Pick<Signet, 'port' | 'token'>,
  path: string,
  body: unknown,
): Promise<Answer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Adds a machine user that owns the instance, and returns its token. */
export async function addAdministrator(server: Signet, name: string): Promise<string> {
  const machine = { userName: name, name }
  const { userId } = await post<{ readonly userId: string }>(server, '/management/v1/users/machine', machine)
  await post(server, '/admin/v1/members', { userId, roles: ['IAM_OWNER'] })
  return (await post<{ readonly token: string }>(server, `/management/v1/users/${userId}/pats`, {})).token
}
