/**
 * `signet test-server`: a real server for the tests of other programs. Its data is in a temporary folder, it listens on
 * this machine alone, and it ends with the process that started it.
 */
import { fstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, environmentWith, readConfig } from '../../config/index.ts'
import type { NodeIds } from '../../features/node-leases/index.ts'
import { start } from '../start.ts'
import { clockPages } from './clock-page.ts'
import { installTestClock } from './test-clock.ts'

export interface TestServerOptions {
  /** Where the clock starts, in the past. */
  readonly clock?: Date | undefined
  readonly isJson: boolean
  say(line: string): void
}

/** What must not be set: with it, the server would not be one for tests. */
const FORBIDDEN = [
  'SIGNET_DATABASE_URL',
  'SIGNET_DATABASE_URL_FILE',
  'SIGNET_DATA_DIR',
  'SIGNET_LISTEN',
  'SIGNET_EXTERNAL_URL',
  'SIGNET_WORKERS',
  'SIGNET_METRICS_LISTEN',
]

const WATCH_MS = 250

/** What is wrong with the environment; nothing when a test server can start. */
function problemsOf(): readonly string[] {
  const environment = environmentWith({})
  return FORBIDDEN.filter((name) => (environment[name] ?? '') !== '').map(
    (name) => `${name} is set: a test server has data, port and address of its own. Unset it.`,
  )
}

/** Ends when the parent does, however it ends. */
function endWithParent(): void {
  const parent = process.ppid
  // There is nothing to keep: what is in flight is for nobody any more.
  const end = () => process.exit(0)
  setInterval(() => process.ppid !== parent && end(), WATCH_MS).unref()
  const input = fstatSync(0)
  if (!input.isFIFO() && !input.isSocket()) return
  // A wrapper may outlive whoever wants the tests; the pipe does not.
  process.stdin.once('end', end).once('error', end).resume()
}

/** A token of a client that signs users in: the kit for tests runs the code flow with it. */
async function addLoginClient(url: string, adminToken: string): Promise<string> {
  const call = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  const { userId } = await call('/management/v1/users/machine', { userName: 'test-login', name: 'Test login' })
  await call('/admin/v1/members', { userId, roles: ['IAM_LOGIN_CLIENT'] })
  const { token = '' } = await call(`/management/v1/users/${userId}/pats`, {})
  return token
}

function configIn(folder: string): { readonly config: Config | undefined; readonly problems: readonly string[] } {
  const { SIGNET_LOG_LEVEL = 'fatal' } = environmentWith({})
  return readConfig(
    environmentWith({
      SIGNET_DATA_DIR: folder,
      SIGNET_LISTEN: '127.0.0.1:0',
      SIGNET_SUPERVISE: 'false',
      SIGNET_LOG_LEVEL,
      // Tests send bursts, and webhooks to this machine.
      SIGNET_OVERLOAD_TARGET: '0',
      SIGNET_ALLOW_PRIVATE_NETWORK: 'true',
    }),
  )
}

/** Runs until it is told to stop, or its parent ends; answers what is wrong with the settings. */
export async function runTestServer({ clock: from, isJson, say }: TestServerOptions): Promise<readonly string[]> {
  const wrong = problemsOf()
  if (wrong.length > 0) return wrong
  const clock = installTestClock(from)
  const folder = mkdtempSync(join(tmpdir(), 'signet-test-server-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { config, problems } = configIn(folder)
  if (config === undefined) return problems
  endWithParent()
  const adminToken = () => readFileSync(join(folder, 'admin.pat'), 'utf8').trim()
  let ids: NodeIds | undefined
  const onIds = (opened: NodeIds) => {
    ids = opened
  }
  // A lease that has ended would refuse the first change after the clock has moved.
  const onMoved = async () => ids?.renew()
  const greet = async (url: string, inboxUrl: string | undefined) => {
    const inboxKey = new URL(inboxUrl ?? url).searchParams.get('key') ?? ''
    const ready = { url, adminToken: adminToken(), loginToken: await addLoginClient(url, adminToken()), inboxKey }
    const lines = Object.entries(ready).map(([name, value]) => `${name}=${value}`)
    say(isJson ? JSON.stringify(ready) : lines.join('\n'))
  }
  await start({
    config,
    warnings: [],
    pages: clockPages({ clock, adminToken, onMoved }),
    onIds,
    greet: (url, { inboxUrl }) => greet(url, inboxUrl),
  })
  return []
}
