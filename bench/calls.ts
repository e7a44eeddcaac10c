/**
 * The calls over gRPC that servers are compared by: operation 6 (add a machine user), create a session with a user check,
 * update it with metadata (each update with the token of the one before), and read it.
 */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  CreateSessionRequestSchema,
  CreateSessionResponseSchema,
  GetSessionRequestSchema,
  SetSessionRequestSchema,
  SetSessionResponseSchema,
} from '../contract/gen/signet/session/v2/session_service_pb.ts'
import { type Load, sleep } from './load.ts'
import { type Conversation, loadHttp2 } from './load-http2.ts'
import { binaryRequest, frameMessage } from './messages.ts'
import type { Signet } from './signet.ts'

export const CALLERS = 64
export const METHOD_PATH = '/signet.management.v1.ManagementService/AddMachineUser'
const SESSIONS = '/signet.session.v2.SessionService'
const USERS = 200
const HELD_SESSIONS = 5_000
const LEAST_SESSIONS = 1_000
/** What the server asks for with `Retry-After`. */
const PAUSE_AFTER_REFUSAL_MS = 1_000

/** Starts a load of one call. */
export type StartLoad = (port: number) => Load

/** Loads, by the number of callers. */
export interface Calls {
  addMachine(callers: number): StartLoad
  create(callers: number): StartLoad
  update(callers: number): StartLoad
  read(callers: number): StartLoad
}

export type CallName = keyof Calls

/** What a call is named in rows. */
export const TITLES: Readonly<Record<CallName, string>> = {
  addMachine: 'operation 6, add a machine user',
  create: 'create a session with a user check',
  update: 'update a session with metadata',
  read: 'read a session',
}

/** The form of the bare gRPC server that a call is compared with. */
export const BARE_FORMS: Readonly<Record<CallName, string>> = {
  addMachine: 'grpc',
  create: 'grpc-session',
  update: 'grpc-session',
  read: 'grpc-session',
}

interface HeldSession {
  readonly id: string
  token: string
}

/** Over few connections, as the proxies before a server have. Callers that are refused wait, as good clients do. */
function callAll(path: string, token: string, callers: number, body: () => Uint8Array | Conversation): StartLoad {
  const headers = { 'content-type': 'application/grpc', te: 'trailers', authorization: `Bearer ${token}` }
  const connections = callers <= CALLERS ? 4 : 10
  const pauseAfterFailureMs = PAUSE_AFTER_REFUSAL_MS
  return (port) => loadHttp2(port, { path, headers, body, pauseAfterFailureMs }, connections, callers / connections)
}

async function addUser({ port, token }: Signet, index: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v2/users/human`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      username: `ada-${index}@example.com`,
      profile: { firstName: 'Ada', lastName: `Lovelace ${index}` },
      email: { email: `ada-${index}@example.com`, isVerified: true },
    }),
  })
  if (!answer.ok) throw new Error(`no user could be added: ${await answer.text()}`)
  return ((await answer.json()) as { readonly userId: string }).userId
}

/** Adds users and sessions to the server, and answers the loads that use them. */
export async function openCalls(server: Signet): Promise<Calls> {
  const userIds: string[] = []
  // One after the other: a server that has just started refuses 200 at once.
  for (let index = 0; index < USERS; index++) userIds.push(await addUser(server, index))
  const calls = callsOf(server.token, userIds)
  const filling = calls.create(CALLERS)(server.port)
  for (let created = 0, waited = 0; created < LEAST_SESSIONS; created += filling.take().ok) {
    if (waited++ > 600) throw new Error('the server creates no sessions')
    await sleep(50)
  }
  filling.stop()
  return calls
}

function callsOf(token: string, userIds: readonly string[]): Calls {
  const sessions: HeldSession[] = []
  let turn = 0
  const next = <Item>(items: readonly Item[]): Item => items[turn++ % items.length] as Item
  const session = (method: string, callers: number, body: () => Uint8Array | Conversation) =>
    callAll(`${SESSIONS}/${method}`, token, callers, body)
  return {
    addMachine: (callers) => callAll(METHOD_PATH, token, callers, () => frameMessage(binaryRequest())),
    create: (callers) =>
      session('CreateSession', callers, () => {
        const request = { checks: { user: { search: { case: 'userId', value: next(userIds) } } } } as const
        return {
          bytes: frameMessage(toBinary(CreateSessionRequestSchema, create(CreateSessionRequestSchema, request))),
          answered(data) {
            if (sessions.length >= HELD_SESSIONS) return
            const { sessionId, sessionToken } = fromBinary(CreateSessionResponseSchema, data.subarray(5))
            sessions.push({ id: sessionId, token: sessionToken })
          },
        }
      }),
    update: (callers) =>
      session('SetSession', callers, () => {
        const held = sessions.shift()
        if (held === undefined) throw new Error('there are fewer sessions than callers')
        const request = {
          sessionId: held.id,
          sessionToken: held.token,
          metadata: { device: 'laptop', turn: String(turn++) },
        }
        return {
          bytes: frameMessage(toBinary(SetSessionRequestSchema, create(SetSessionRequestSchema, request))),
          answered(data) {
            sessions.push({ id: held.id, token: fromBinary(SetSessionResponseSchema, data.subarray(5)).sessionToken })
          },
        }
      }),
    read: (callers) =>
      session('GetSession', callers, () => {
        const request = create(GetSessionRequestSchema, { sessionId: next(sessions).id })
        return frameMessage(toBinary(GetSessionRequestSchema, request))
      }),
  }
}
