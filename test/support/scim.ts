/** A world with SCIM on a real port, and clients of it over HTTP/1.1 and HTTP/2. */
import assert from 'node:assert/strict'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import type { TestEngine } from './engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from './openid-world.ts'
import { openingOn } from './opening.ts'
import { type Ask, askHttp1, askHttp2 } from './page-client.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** JSON of a response; tests say what is in it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts
export type Body = any

export interface ScimReply {
  readonly status: number
  readonly body: Body
  header(name: string): string | undefined
}

export interface ScimQuestion {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  readonly organizationId?: string
}

/** Sends a request to a path behind the organization. */
export type Send = (method: string, path: string, question?: ScimQuestion) => Promise<ScimReply>

export interface ScimWorld extends OpenIdWorld {
  /** With the token of a directory, over HTTP/1.1. */
  readonly send: Send
  readonly sendHttp2: Send
  /** The token of a machine user with the role of a directory. */
  readonly directory: { readonly userId: string; readonly token: string }
  tokenOf(machine: { readonly request: { readonly bearer?: string | undefined } }): string
  /** Adds an organization. */
  addOrganization(name: string): Promise<string>
  create(name: string, more?: object): Promise<Body>
  patch(id: string, ...operations: object[]): Promise<ScimReply>
}

export function newUser(name: string, more: object = {}): object {
  return {
    schemas: [USER_SCHEMA],
    userName: name,
    name: { givenName: 'Ada', familyName: name },
    emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
    ...more,
  }
}

function sender(ask: Ask, token: string, home: string): Send {
  return async (method, path, { body, headers = {}, token: other = token, organizationId = home } = {}) => {
    const isText = typeof body === 'string'
    const reply = await ask(`/scim/v2/${organizationId}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...(other !== '' && { authorization: `Bearer ${other}` }),
        ...headers,
      },
      ...(body !== undefined && { form: isText ? body : JSON.stringify(body) }),
    })
    return { status: reply.status, body: reply.text === '' ? undefined : JSON.parse(reply.text), header: reply.header }
  }
}

export function openScimWorld(engine: TestEngine): Promise<ScimWorld> {
  return openingOn(openOpenIdWorld({ engine }), withDirectory)
}

async function withDirectory(world: OpenIdWorld): Promise<ScimWorld> {
  const tokenOf: ScimWorld['tokenOf'] = ({ request }) => request.bearer ?? assert.fail('a machine has a token')
  const machine = await world.addMachine({ organizationRoles: ['ORG_DIRECTORY_SYNC'] })
  const directory = { userId: machine.userId, token: tokenOf(machine) }
  const send = sender(askHttp1(world.url), directory.token, world.defaultOrganizationId)
  return {
    ...world,
    send,
    sendHttp2: sender(askHttp2(world.url), directory.token, world.defaultOrganizationId),
    directory,
    tokenOf,
    async addOrganization(name) {
      const { id } = await world.call(ManagementService.method.addOrg, { name }, world.owner)
      return id
    },
    async create(name, more = {}) {
      const { status, body } = await send('POST', '/Users', { body: newUser(name, more) })
      assert.equal(status, 201, JSON.stringify(body))
      return body
    },
    patch: (id, ...operations) =>
      send('PATCH', `/Users/${id}`, { body: { schemas: [PATCH_SCHEMA], Operations: operations } }),
  }
}
