/**
 * What the record of sign-ins costs: the calls of the console's home page with a million sign-ins of 90 days beside none, and
 * the processor time of a sign-in with counters beside one without.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '../src/config/index.ts'
import { signIns } from '../src/features/sign-ins/documents.ts'
import type { Method, Reason } from '../src/features/sign-ins/events.ts'
import { newId } from '../src/kernel/id.ts'
import { instant, systemClock } from '../src/kernel/instant.ts'
import { kinds } from '../src/modules.ts'
import { openSqlite, openStore, type Store, type Work } from '../src/store/index.ts'
import { openPostgres } from '../src/store/postgres/index.ts'
import { bothEngines, type TestEngine } from '../test/support/engines.ts'
import { openSessionWorld, type SessionWorld } from '../test/support/session-world.ts'
import { loadHttp1 } from './load-http1.ts'
import { alternate } from './rounds.ts'
import { type Signet, startSignet, UNLIMITED } from './signet.ts'
import { bareRow, measureInTurn, speedRow, type Target } from './speed.ts'
import { median, spread } from './statistics.ts'
import type { Row } from './table.ts'

const SIGN_INS = 1_000_000
const DAYS = 90
const DAY_MS = 86_400_000
const AT_ONCE = 50
const WRITERS = 8
const CALLERS = 2
const PLAN = { rounds: 8, seconds: 1, warmUpMs: 2_000 }

const METHODS: readonly Method[] = ['password', 'passkey', 'identity_provider']
const REASONS: readonly Reason[] = ['wrong_password', 'unknown_user', 'wrong_totp', 'passkey']
const APPLICATIONS = Array.from({ length: 10 }, () => newId())
const ORGANIZATIONS = Array.from({ length: 20 }, () => newId())

/** One sign-in to an application; every tenth fails. */
async function addOne(work: Work, number: number): Promise<void> {
  const { at } = work.origin
  const id = newId()
  const owner = ORGANIZATIONS[number % ORGANIZATIONS.length] ?? ''
  const application = { applicationId: APPLICATIONS[number % APPLICATIONS.length] ?? '', projectId: 'project' }
  const userId = `user-${number % 50_000}`
  if (number % 10 === 0) {
    const reason = REASONS[number % REASONS.length] ?? 'passkey'
    const step = { at, kind: 'password', result: 'failed', reason } as const
    await work.begin(signIns, id, { type: 'fail', reason, step, userId, application }, owner)
    return
  }
  const method = METHODS[number % METHODS.length] ?? 'password'
  const steps = [{ at, kind: 'user', result: 'passed' }] as const
  await work.begin(signIns, id, { type: 'check', userId, method, steps, isComplete: true, at }, owner)
  await work.decide(signIns, id, { type: 'join', ...application, at })
}

async function fill(store: Store, count: number): Promise<void> {
  const now = systemClock()
  let next = 0
  const write = async () => {
    while (next < count) {
      const from = next
      next = Math.min(count, next + AT_ONCE)
      const until = next
      const at = instant(now - Math.floor((1 - from / count) * DAYS * DAY_MS))
      await store.write({ actor: { user: 'bench' }, at }, async (work) => {
        for (let number = from; number < until; number++) await addOne(work, number)
      })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

async function startWith(databaseUrl: string | undefined, count: number): Promise<Signet> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signet-bench-'))
  const environment = { ...UNLIMITED, ...(databaseUrl && { SIGNET_MASTER_KEY: randomBytes(32).toString('base64') }) }
  const first = await startSignet(databaseUrl, { dataFolder, environment })
  await first.stop()
  const file = databaseFile(dataFolder)
  const engine = await (databaseUrl ? openPostgres({ url: databaseUrl }) : openSqlite({ file }))
  const store = await openStore(engine, kinds)
  await fill(store, count)
  await store.close()
  return startSignet(databaseUrl, { dataFolder, environment, token: first.token })
}

function calling(server: Signet, path: string): Target {
  const headers = { authorization: `Bearer ${server.token}` }
  const request = { method: 'GET', path, headers, body: () => Buffer.alloc(0) }
  return { server, load: (port) => loadHttp1(port, request, CALLERS) }
}

const HOME = [
  ['sign-ins of 90 days', '/v2/sign-ins/_count?days=90&utcOffsetMinutes=60'],
  ['overview', '/v2/overview'],
] as const

async function benchHome(engine: string, urls: readonly [string, string] | undefined, count: number): Promise<Row[]> {
  const [none, many] = [await startWith(urls?.[0], 0), await startWith(urls?.[1], count)]
  const rows: Row[] = []
  for (const [what, path] of HOME) {
    const speeds = await measureInTurn({ none: calling(none, path), many: calling(many, path) }, PLAN)
    const name = `${what}, ${engine}, none`
    const comparison = { to: speeds.none, of: name, aim: '≥ 90 %', callers: CALLERS }
    rows.push(bareRow(name, speeds.none, CALLERS))
    rows.push(speedRow(`${what}, ${engine}, ${count.toLocaleString('en-US')}`, speeds.many, comparison))
  }
  await Promise.all([none.stop(), many.stop()])
  return rows
}

const COST_ROUNDS = 12
const SIGN_INS_OF_ROUND = 60
const PEOPLE = 40

/** The engine as it would be if nothing were counted. */
function withoutCounters(engine: TestEngine): TestEngine {
  return {
    name: engine.name,
    async open(contents) {
      const database = await engine.open(contents)
      const { engine: whole } = database
      const commit: typeof whole.commit = (batch) => whole.commit(batch.map((one) => ({ ...one, counts: [] })))
      return { ...database, engine: Object.create(whole, { commit: { value: commit } }) }
    },
  }
}

/** Microseconds of processor time for each of some complete sign-ins with a password, whose hash is a cheap one. */
function signingIn(world: SessionWorld, people: readonly Awaited<ReturnType<SessionWorld['addPerson']>>[]) {
  return async (): Promise<number> => {
    const before = process.cpuUsage()
    let next = 0
    const caller = async () => {
      for (let index = next++; index < SIGN_INS_OF_ROUND; index = next++) {
        const person = people[index % people.length]
        if (person !== undefined) await world.signIn(person)
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, caller))
    const { user, system } = process.cpuUsage(before)
    return (user + system) / SIGN_INS_OF_ROUND
  }
}

async function openScene(engine: TestEngine) {
  const world = await openSessionWorld(engine)
  const people = []
  for (let count = 0; count < PEOPLE; count++) people.push(await world.addPerson())
  const signIn = signingIn(world, people)
  for (let count = 0; count < 3; count++) await signIn()
  return { world, signIn }
}

/** The processor time of a sign-in, with and without the counters. That of PostgreSQL itself is not part of it. */
export async function benchSignInCost(): Promise<Row[]> {
  const rows: Row[] = []
  for (const engine of bothEngines) {
    const [counted, uncounted] = [await openScene(engine), await openScene(withoutCounters(engine))]
    const times = await alternate({ without: uncounted.signIn, with: counted.signIn }, COST_ROUNDS)
    await Promise.all([counted.world.dispose(), uncounted.world.dispose()])
    const name = `sign-in without counters, ${engine.name}`
    const figure = (samples: readonly number[]) => ({
      figure: `${median(samples).toFixed(0)} µs of processor`,
      spread: spread(samples),
    })
    rows.push({ what: name, ...figure(times.without), isBare: true })
    const ratio = median(times.with.map((time, round) => time / (times.without[round] ?? Number.NaN)))
    rows.push({ what: `sign-in with counters, ${engine.name}`, ...figure(times.with), ratio, of: name, aim: '≤ 103 %' })
  }
  return rows
}

export async function benchHomeCalls(urls: readonly [string, string] | undefined, count = SIGN_INS): Promise<Row[]> {
  const rows = await benchHome('SQLite', undefined, count)
  if (urls !== undefined) rows.push(...(await benchHome('PostgreSQL', urls, count)))
  return rows
}
