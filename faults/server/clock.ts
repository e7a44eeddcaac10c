/** The wall clock of a running server jumps: no write is lost, no id repeated, and what has expired stays expired. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ApiAnswer, callApi, startServerProcess } from '../../test/support/server-process.ts'
import { type Caught, grouped, isInTime, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import { MOVED_CLOCK, type MovedClock, openClock } from './clock-file.ts'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From the real time, one after the other; between them it shows the real time. */
const JUMPS = [HOUR_MS, -HOUR_MS, 400 * DAY_MS, -400 * DAY_MS] as const
const WRITERS = 4
/** The process reads its clock file every 20 ms. */
const SETTLE_MS = 100

interface Scene {
  readonly clock: MovedClock
  readonly dataDir: string
  call(verb: string, path: string, body?: object): Promise<ApiAnswer>
  stop(): Promise<void>
}

async function openScene(cleanUp: AsyncDisposableStack): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-clock-'))
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const clock = await openClock(join(folder, 'clock.json'))
  const settings = { SIGNET_DATA_DIR: dataDir, SIGNET_LOG_LEVEL: 'error', ...clock.settings }
  const server = await startServerProcess('main', ['start'], settings, { preload: [MOVED_CLOCK] })
  cleanUp.defer(() => void server.child.kill('SIGKILL'))
  const url = await server.url
  return {
    clock,
    dataDir,
    call: (verb, path, body) => callApi(url, dataDir, verb, path, body),
    async stop() {
      server.child.kill('SIGTERM')
      await server.ended
    },
  }
}

let added = 0

/** Adds a user; undefined when it was refused as unavailable, as while the lease of the ids is renewed. */
async function addUser({ call }: Scene): Promise<string | undefined> {
  const name = `user-${++added}@example.com`
  const user = {
    username: name,
    profile: { givenName: 'A', familyName: 'B' },
    email: { email: name, isVerified: true },
  }
  const { status, body } = await call('POST', '/v2/users/human', user)
  if (status === 503) return undefined
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return String(body.userId)
}

interface Session {
  readonly sessionId: string
}

/** A session of ten minutes. */
async function addSession({ call }: Scene, userId: string): Promise<Session> {
  const { status, body } = await call('POST', '/v2/sessions', { checks: { user: { userId } }, lifetime: '600s' })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return { sessionId: String(body.sessionId) }
}

/** Whether the session can be used. */
async function isAlive({ call }: Scene, { sessionId }: Session): Promise<boolean> {
  const { status, body } = await call('PATCH', `/v2/sessions/${sessionId}`, { metadata: { key: 'value' } })
  if (status === 200) return true
  if (!JSON.stringify(body).includes('session.expired')) throw new Error(`${status} ${JSON.stringify(body)}`)
  return false
}

interface Step {
  readonly ids: readonly string[]
  readonly refused: number
  readonly firstMs: number
}

/** Writes for a while. */
async function writeUsers(scene: Scene, count: number): Promise<Step> {
  const began = performance.now()
  const ids: string[] = []
  let refused = 0
  let firstMs = 0
  const write = async () => {
    while (ids.length < count) {
      const id = await addUser(scene)
      if (id === undefined) refused++
      else ids.push(id)
      if (firstMs === 0 && ids.length > 0) firstMs = performance.now() - began
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return { ids, refused, firstMs }
}

async function countProblems({ dataDir }: Scene): Promise<number> {
  const env = { ...process.env, SIGNET_DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'verify', '--json'], { env })
  return (JSON.parse(stdout) as { readonly problems: readonly string[] }).problems.length
}

async function measure(run: Run): Promise<Measured> {
  const rounds = roundsOf(run, 1, 5)
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScene(cleanUp)
  const perStep = run.isShort ? 8 : 40
  const steps: Step[] = [await writeUsers(scene, perStep)]
  const [userId = ''] = steps[0]?.ids ?? []
  let revived = 0
  const move = async (offsetMs: number, rate = 1) => {
    await scene.clock.set(offsetMs, rate)
    await sleep(SETTLE_MS)
    steps.push(await writeUsers(scene, perStep))
  }
  for (let round = 0; round < rounds; round++) {
    const session = await addSession(scene, userId)
    for (const offsetMs of JUMPS) {
      await move(offsetMs)
      if (offsetMs > 0 && (await isAlive(scene, session))) revived++
      await move(0)
      if (await isAlive(scene, session)) revived++
    }
    // It stands still.
    await move(0, 0)
    await move(0)
  }
  const ids = steps.flatMap((step) => step.ids)
  let lost = 0
  for (const id of ids) if ((await scene.call('GET', `/v2/users/${id}`)).status !== 200) lost++
  await scene.stop()
  const repeated = ids.length - new Set(ids).size
  const refused = steps.reduce((sum, step) => sum + step.refused, 0)
  const firstMs = Math.round(Math.max(...steps.map((step) => step.firstMs)))
  const problems = await countProblems(scene)
  return {
    done: `the clock of a running server set by ±1 hour and ±400 days, back, and stopped, ${rounds} ×`,
    figure: `${lost} lost, ${repeated} ids repeated of ${grouped(ids.length)} users, ${revived} expired sessions alive, ${problems} problems of verify; ${refused} refused, writes after at most ${firstMs} ms`,
    figures: { rounds, users: ids.length, lost, repeated, revived, problems, refused, firstMs },
    isMet: lost + repeated + revived + problems === 0 && isInTime(run, firstMs, 5_000),
  }
}

/** A session whose expiration no request saw is judged by the clock: after it was set back, it is alive. */
async function reviveUnseen(): Promise<Caught> {
  await using cleanUp = new AsyncDisposableStack()
  const scene = await openScene(cleanUp)
  const userId = (await addUser(scene)) ?? ''
  const session = await addSession(scene, userId)
  await scene.clock.set(HOUR_MS)
  await sleep(SETTLE_MS)
  await scene.clock.set(0)
  await sleep(SETTLE_MS)
  const isRevived = await isAlive(scene, session)
  await scene.stop()
  return { figure: `${isRevived ? 1 : 0} expired sessions alive`, isCaught: isRevived }
}

export const clockChange: Scenario = {
  name: 'clock',
  title: 'the clock jumps by hours and days: no write is lost, no id repeated, and what has expired stays expired',
  required: '0 lost, 0 repeated, 0 alive, 0 problems, writes within 5 000 ms',
  measure,
  control: { what: 'a session whose expiration was not recorded before the clock was set back', run: reviveUnseen },
}
