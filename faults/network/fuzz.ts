/** Generated and mutated messages against every method, over every protocol: none may crash the server or be its fault. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type ClientHttp2Session, connect } from 'node:http2'
import { fileURLToPath } from 'node:url'
import { type DescMessage, fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf'
import { frame, type RawRequest, sendRaw } from '../../test/contract/raw.ts'
import { engines } from '../../test/support/engines.ts'
import { allMethods } from '../../test/support/services.ts'
import { type Caught, grouped, type Measured, type Run, roundsOf, type Scenario } from '../scenario.ts'
import type { FuzzFaults, FuzzWorld } from './fuzz-child.ts'
import { mutateBytes, mutateJson, Random } from './mutations.ts'

const AT_ONCE = 48
/** The server itself ends a request after 30 seconds. */
const LONGEST_MS = 40_000

interface Totals {
  messages: number
  /** Answers that blame the server: INTERNAL, UNKNOWN or 500. */
  internal: number
  /** No answer. */
  unanswered: number
  crashes: number
  faults: number
  /** Read and decided: accepted, or refused by a rule and not by the reader. */
  deep: number
  longestMs: number
}

interface Target {
  readonly name: string
  readonly words: readonly string[]
  /** After this many messages there is a new world: what is kept soon removes what most requests are about. */
  readonly perWorld: number
}

/** Asks the server process; rejects when it has ended. */
async function ask<Answer>(child: ChildProcess, ended: Promise<unknown>, word: string): Promise<Answer> {
  const answer = once(child, 'message')
  const crashed = ended.then(() => {
    throw new Error('the server ended')
  })
  child.send(word)
  return ((await Promise.race([answer, crashed])) as [Answer])[0]
}

/** The binary form, without fields that only our own reader knows; undefined when it has none. */
function encode(input: DescMessage, json: JsonValue): Uint8Array | undefined {
  try {
    return toBinary(input, fromJson(input, json, { ignoreUnknownFields: true }))
  } catch {
    return undefined
  }
}

/** One message in one of the protocols. */
function makeRequest(world: FuzzWorld, random: Random): RawRequest {
  const { method, bearer, body } = random.pick(random.below(10) < 6 ? world.allowed : world.requests)
  const input = allMethods.get(method)?.input
  if (input === undefined) throw new Error(`there is no ${method}`)
  const json = mutateJson(body, input, random, world.ids)
  const path = `/${method}`
  const headers: Record<string, string> = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }
  const asJson = (type: string, wrap: (bytes: Buffer) => Buffer): RawRequest => ({
    path,
    type,
    headers,
    chunks: [wrap(Buffer.from(JSON.stringify(json)))],
  })
  const binary = () =>
    encode(input, json) ?? mutateBytes(encode(input, JSON.parse(body) as JsonValue) ?? Buffer.alloc(8), random)
  const bytes = () => (random.below(3) === 0 ? mutateBytes(binary(), random) : binary())
  switch (random.below(5)) {
    case 0:
      return { path, type: 'application/proto', headers, chunks: [bytes()] }
    case 1:
      return { path, type: 'application/grpc', headers, chunks: [frame(bytes())] }
    case 2:
      return { path, type: 'application/grpc-web+proto', headers, chunks: [frame(bytes())] }
    case 3:
      return asJson('application/grpc+json', (text) => frame(text))
    default:
      return asJson('application/json', (text) => text)
  }
}

/** Codes of gRPC: not one of these means that a rule of the method decided. */
const READERS_CODES = new Set([3, 7, 12, 16])
const OF_THE_SERVER = new Set([2, 13, 15])

function count(totals: Totals, status: number, grpcStatus: number | undefined): void {
  if (status === 500 || (grpcStatus !== undefined && OF_THE_SERVER.has(grpcStatus))) totals.internal++
  const isRefused = grpcStatus === undefined ? [400, 401, 403, 501].includes(status) : READERS_CODES.has(grpcStatus)
  if (!isRefused) totals.deep++
}

async function sendMany(world: FuzzWorld, random: Random, messages: number, totals: Totals): Promise<void> {
  const session: ClientHttp2Session = connect(world.url)
  session.on('error', () => {})
  let left = messages
  const sendSome = async () => {
    while (left-- > 0) {
      const began = performance.now()
      const late = AbortSignal.timeout(LONGEST_MS)
      const tooLate = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
      const answer = await Promise.race([sendRaw(session, makeRequest(world, random)).catch(() => undefined), tooLate])
      totals.messages++
      if (answer === undefined) totals.unanswered++
      else count(totals, answer.status, answer.grpcStatus)
      totals.longestMs = Math.max(totals.longestMs, performance.now() - began)
      if (session.destroyed) return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome))
  session.destroy()
}

/** Sends a number of messages to one server; a new world is opened now and then. */
async function fuzz(target: Target, messages: number, seed: number, run: Run): Promise<Totals> {
  const totals: Totals = { messages: 0, internal: 0, unanswered: 0, crashes: 0, faults: 0, deep: 0, longestMs: 0 }
  const file = fileURLToPath(new URL('fuzz-child.ts', import.meta.url))
  const child = fork(file, target.words)
  const ended = once(child, 'exit')
  const random = new Random(seed)
  try {
    while (totals.messages < messages) {
      const world = await ask<FuzzWorld>(child, ended, 'open')
      await sendMany(world, random, Math.min(target.perWorld, messages - totals.messages), totals)
      const { count: faults, samples } = await ask<FuzzFaults>(child, ended, 'faults')
      totals.faults += faults
      for (const sample of samples) run.say(`fault: ${sample}`)
      run.say(`${target.name}: ${grouped(totals.messages)} messages, ${totals.internal} INTERNAL, seed ${seed}`)
    }
  } catch (error) {
    run.say(`${target.name}: ${error}`)
    totals.crashes++
  } finally {
    if (child.connected) child.disconnect()
    await ended
  }
  return totals
}

/** Some calls are kept; the others go as far as the commit and leave the world as it was. */
const TARGETS: readonly (Target & { readonly share: number })[] = [
  { name: 'SQLite, everything kept', words: ['keeping', 'sqlite'], perWorld: 4_000, share: 0.2 },
  { name: 'PostgreSQL, everything kept', words: ['keeping', 'postgres'], perWorld: 4_000, share: 0.2 },
  { name: 'as far as the commit', words: ['asking', 'sqlite'], perWorld: 20_000, share: 0.6 },
]

async function measure(run: Run): Promise<Measured> {
  const wanted = roundsOf(run, 1_500, 1_000_000)
  // A test tries the same messages each time.
  const seed = run.isShort ? 1 : Math.floor(Math.random() * 2 ** 32)
  const all: Totals[] = []
  const hasPostgres = engines.some(({ name }) => name === 'postgres')
  const possible = TARGETS.filter(({ words }) => hasPostgres || !words.includes('postgres'))
  // A test has time for one world, which goes as far as the commit.
  for (const { share, ...target } of run.isShort ? possible.slice(-1) : possible) {
    all.push(await fuzz(target, Math.ceil(wanted * (run.isShort ? 1 : share)), seed, run))
  }
  const sum = (of: (totals: Totals) => number) => all.reduce((total, one) => total + of(one), 0)
  const figures = {
    methods: allMethods.size,
    messages: sum(({ messages }) => messages),
    crashes: sum(({ crashes }) => crashes),
    internal: sum(({ internal }) => internal),
    faults: sum(({ faults }) => faults),
    unanswered: sum(({ unanswered }) => unanswered),
    deep: sum(({ deep }) => deep),
    longestMs: Math.round(Math.max(...all.map(({ longestMs }) => longestMs))),
    seed,
  }
  const { methods, messages, crashes, internal, faults, unanswered, deep, longestMs } = figures
  return {
    done: `${grouped(messages)} generated and mutated messages against ${methods} methods, over 4 protocols`,
    figure: `${crashes} crashes, ${internal} INTERNAL, ${faults} faults, ${unanswered} without answer; ${grouped(deep)} were decided by a rule; longest ${longestMs} ms`,
    figures,
    isMet: crashes + internal + faults + unanswered === 0 && messages >= wanted * 0.8 && deep > 0,
  }
}

async function findDefect(run: Run): Promise<Caught> {
  const planted = { name: 'a planted defect', words: ['asking', 'sqlite', 'planted'], perWorld: 20_000 }
  const { internal, faults } = await fuzz(planted, run.isShort ? 500 : 10_000, 1, { ...run, say: () => {} })
  return { figure: `${internal} INTERNAL, ${faults} faults`, isCaught: internal > 0 && faults > 0 }
}

export const fuzzMethods: Scenario = {
  name: 'fuzz',
  title: 'no generated or mutated message crashes the server or is taken for a fault of the server',
  required: '0 crashes, 0 INTERNAL, 0 faults, every message answered',
  measure,
  control: { what: 'handlers that fail on some characters', run: findDefect },
}
