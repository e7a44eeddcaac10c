/** A world with the Shared Signals Framework on a real port, and receivers that call it. */
import assert from 'node:assert/strict'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { GuardedFetch } from '../../src/outbound/fetch.ts'
import type { TestEngine } from './engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from './openid-world.ts'

export const PUSH = 'urn:ietf:rfc:8935'
export const POLL = 'urn:ietf:rfc:8936'
export const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/'
export const RISC = 'https://schemas.openid.net/secevent/risc/event-type/'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
export type Body = any

export interface SsfReply {
  readonly status: number
  readonly body: Body
  readonly headers: Headers
}

/** A machine user that calls the endpoints. */
export interface TestReceiver {
  readonly userId: string
  /** To the first node, unless another one is named. */
  send(method: string, path: string, body?: unknown, url?: string): Promise<SsfReply>
  /** Creates a stream and returns its configuration. */
  create(body?: object): Promise<Body>
  /** Polls without waiting, and returns the claims of the tokens. */
  poll(streamId: string, body?: object): Promise<readonly Body[]>
}

export interface SsfWorld extends OpenIdWorld {
  addReceiver(options?: Parameters<OpenIdWorld['addMachine']>[0]): Promise<TestReceiver>
  addOrganization(name: string): Promise<string>
  /** A session of a user, without a password. */
  addSession(userId: string): Promise<string>
  endSession(sessionId: string): Promise<void>
  /** The verified claims of a token. */
  claimsOf(token: string): Promise<Body>
}

/** The only event of a token: its name behind the last slash, and what it says. */
export function eventOf({ events }: Body): readonly [string, Body] {
  const [[uri = '', claims] = []] = Object.entries(events as object)
  return [uri.slice(uri.lastIndexOf('/') + 1), claims]
}

export async function openSsfWorld(engine: TestEngine, fetchOutside?: GuardedFetch): Promise<SsfWorld> {
  const world = await openOpenIdWorld({ engine, ...(fetchOutside && { fetchOutside }) })
  const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
  const claimsOf = async (token: string) => {
    const { payload, protectedHeader } = await jwtVerify(token, keys, { issuer: world.url, typ: 'secevent+jwt' })
    assert.ok(protectedHeader.kid)
    return payload
  }
  const addReceiver: SsfWorld['addReceiver'] = async (options = { organizationRoles: ['ORG_SIGNAL_RECEIVER'] }) => {
    const { userId, request } = await world.addMachine(options)
    const send: TestReceiver['send'] = async (method, path, body, url = world.url) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${request.bearer}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
    }
    return {
      userId,
      send,
      async create(body = {}) {
        const reply = await send('POST', '/ssf/v1/streams', body)
        assert.equal(reply.status, 201, JSON.stringify(reply.body))
        return reply.body
      },
      async poll(streamId, body = {}) {
        const reply = await send('POST', `/ssf/v1/poll/${streamId}`, { returnImmediately: true, ...body })
        assert.equal(reply.status, 200, JSON.stringify(reply.body))
        const claims = await Promise.all(Object.values(reply.body.sets as object).map(claimsOf))
        assert.deepEqual(
          claims.map(({ jti }) => jti),
          Object.keys(reply.body.sets),
        )
        return claims
      },
    }
  }
  return {
    ...world,
    addReceiver,
    claimsOf,
    async addOrganization(name) {
      return (await world.call(ManagementService.method.addOrg, { name }, world.owner)).id
    },
    async addSession(userId) {
      const checks = { user: { search: { case: 'userId' as const, value: userId } } }
      return (await world.call(SessionService.method.createSession, { checks }, world.owner)).sessionId
    },
    async endSession(sessionId) {
      await world.call(SessionService.method.deleteSession, { sessionId }, world.owner)
    },
  }
}
