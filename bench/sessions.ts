/**
 * Sessions end to end over gRPC at 64 callers: created with a user check, updated with metadata (each update with the
 * token of the one before), and read; beside a bare server that shows a session.
 */
import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import {
  CreateSessionRequestSchema,
  CreateSessionResponseSchema,
  GetSessionRequestSchema,
  SetSessionRequestSchema,
  SetSessionResponseSchema,
} from '../contract/gen/signet/session/v2/session_service_pb.ts'
import { startServer } from './child.ts'
import { type Load, median, percentile, sleep } from './load.ts'
import { type Conversation, loadHttp2 } from './load-http2.ts'
import { frameMessage } from './messages.ts'
import { type Signet, startSignet } from './signet.ts'
import { perSecond, type Row } from './table.ts'
import { measure, type Speed } from './wire.ts'

const SERVICE = '/signet.session.v2.SessionService'
const PEOPLE = 200
const CALLERS = 64
const ROUNDS = 3
const METADATA = { device: 'laptop' }

/** What a caller knows of its session. */
interface Held {
  readonly id: string
  token: string
}

async function addPerson({ port, token }: Signet, index: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v2/users/human`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      username: `ada-${index}@example.com`,
      profile: { firstName: 'Ada', lastName: `Lovelace ${index}` },
      email: { email: `ada-${index}@example.com`, isVerified: true },
    }),
  })
  if (!answer.ok) throw new Error(`no person could be added: ${await answer.text()}`)
  return ((await answer.json()) as { userId: string }).userId
}

function callAll(port: number, token: string, method: string, body: () => Uint8Array | Conversation): Load {
  const headers = { 'content-type': 'application/grpc', te: 'trailers', authorization: `Bearer ${token}` }
  return loadHttp2(port, { path: `${SERVICE}/${method}`, headers, body }, 4, CALLERS / 4)
}

function framed(init: MessageInitShape<typeof CreateSessionRequestSchema>): Uint8Array {
  return frameMessage(toBinary(CreateSessionRequestSchema, create(CreateSessionRequestSchema, init)))
}

/** Loads for the three calls; creating fills the sessions that the others use. */
function callsOf(token: string, people: readonly string[]) {
  const sessions: Held[] = []
  let turn = 0
  const next = <Item>(items: readonly Item[]): Item => items[turn++ % items.length] as Item
  return {
    create: (port: number) =>
      callAll(port, token, 'CreateSession', () => ({
        bytes: framed({ checks: { user: { search: { case: 'userId', value: next(people) } } } }),
        answered(data) {
          if (sessions.length >= 1_000) return
          const { sessionId, sessionToken } = fromBinary(CreateSessionResponseSchema, data.subarray(5))
          sessions.push({ id: sessionId, token: sessionToken })
        },
      })),
    update: (port: number) =>
      callAll(port, token, 'SetSession', () => {
        const held = sessions.shift()
        if (held === undefined) throw new Error('there are fewer sessions than callers')
        const request = {
          sessionId: held.id,
          sessionToken: held.token,
          metadata: { ...METADATA, turn: String(turn++) },
        }
        return {
          bytes: frameMessage(toBinary(SetSessionRequestSchema, create(SetSessionRequestSchema, request))),
          answered(data) {
            sessions.push({ id: held.id, token: fromBinary(SetSessionResponseSchema, data.subarray(5)).sessionToken })
          },
        }
      }),
    read: (port: number) =>
      callAll(port, token, 'GetSession', () => {
        const request = create(GetSessionRequestSchema, { sessionId: next(sessions).id })
        return frameMessage(toBinary(GetSessionRequestSchema, request))
      }),
  }
}

function rowOf(what: string, speeds: readonly Speed[], bare: number, aim?: string): Row {
  const rate = median(speeds.map((speed) => speed.perSecond))
  const latencies = speeds.flatMap((speed) => speed.latencies)
  return {
    what,
    figure: perSecond(rate),
    ratio: rate / bare,
    of: 'bare gRPC',
    ...(aim && { aim }),
    note: `p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms at ${CALLERS} callers`,
  }
}

/** Rounds of each call in turn, the bare server among them, so that all see the same weather. */
export async function benchSessions(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const bare = await startServer(new URL('bare.ts', import.meta.url), ['grpc-session'])
  const server = await startSignet(databaseUrl)
  const people: string[] = []
  for (let index = 0; index < PEOPLE; index++) people.push(await addPerson(server, index))
  const calls = callsOf(server.token, people)
  const speeds: Record<'bare' | 'create' | 'update' | 'read', Speed[]> = { bare: [], create: [], update: [], read: [] }
  for (let round = 0; round < ROUNDS; round++) {
    speeds.create.push(await measure(server, calls.create, 2))
    await sleep(200)
    speeds.update.push(await measure(server, calls.update, 2))
    await sleep(200)
    speeds.read.push(await measure(server, calls.read, 2))
    speeds.bare.push(await measure(bare, calls.read, 2))
  }
  await server.stop()
  await bare.stop()
  const limit = median(speeds.bare.map((speed) => speed.perSecond))
  const isSqlite = engine === 'SQLite'
  return [
    { what: `a session, bare gRPC (beside ${engine})`, figure: perSecond(limit) },
    rowOf(`create a session with a user check, ${engine}`, speeds.create, limit, isSqlite ? '5 000/s' : '2 000/s'),
    rowOf(`update a session with metadata, ${engine}`, speeds.update, limit),
    rowOf(`read a session, ${engine}`, speeds.read, limit, '50 %'),
  ]
}
