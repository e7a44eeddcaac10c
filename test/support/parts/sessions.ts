/** A login client and users, for tests of sessions. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { Session } from '../../../contract/gen/signet/session/v2/session_pb.ts'
import type {
  CreateSessionRequestSchema,
  SetSessionRequestSchema,
} from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { SessionService } from '../../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { BUILT_IN_LOGIN, type LoginSettings, settings } from '../../../src/features/settings/index.ts'
import { type Authenticator, newAuthenticator } from '../authenticator.ts'
import type { CallOptions } from '../calls.ts'
import type { Part, World, WorldWith } from '../world.ts'

export const PASSWORD = 'correct horse battery staple'
export const ORIGIN = 'http://localhost:8080'
export const DOMAIN = 'localhost'

/** A session as a client knows it. */
export interface Held {
  readonly sessionId: string
  readonly token: string
}

export interface Person {
  readonly userId: string
  readonly loginName: string
}

interface WithSessions {
  /** A machine user that can sign users in. */
  readonly login: CallOptions
  readonly loginId: string
  /** A machine user without permissions. */
  readonly nobody: CallOptions
  readonly nobodyId: string
  addPerson(options?: { readonly password?: string | undefined; readonly organizationId?: string }): Promise<Person>
  /** Creates a session, by default as the login client. */
  create(request?: MessageInitShape<typeof CreateSessionRequestSchema>, as?: CallOptions): Promise<Held>
  /** Updates a session with its token, and returns it with the new one. */
  set(held: Held, request: MessageInitShape<typeof SetSessionRequestSchema>, as?: CallOptions): Promise<Held>
  get(sessionId: string, as?: CallOptions): Promise<Session>
  /** A session of a user with a checked password. */
  signIn(person: Person): Promise<Held>
  /** Registers a passkey or a security key for a user. */
  addKey(person: Person, use: 'passkey' | 'second_factor'): Promise<Authenticator>
  /** Sets the login settings of an organization, or of the instance. */
  setLogin(owner: string, more: Partial<LoginSettings>): Promise<void>
}

export type SessionWorld = WorldWith<WithSessions>

export const v2 = SessionService.method
const users = UserService.method

/** The check of a user by ID, and of their password. */
export function userCheck({ userId }: Pick<Person, 'userId'>) {
  return {
    user: { search: { case: 'userId' as const, value: userId } },
  }
}
export function passwordCheck(password: string = PASSWORD) {
  return { password: { password } }
}

async function given(world: World): Promise<WithSessions> {
  const { call, owner } = world
  const login = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
  const nobody = await world.addMachine()
  let count = 0

  const addPerson: WithSessions['addPerson'] = async (options = {}) => {
    const password = 'password' in options ? options.password : PASSWORD
    const loginName = `ada-${++count}`
    const { userId } = await call(
      users.addHumanUser,
      {
        username: loginName,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `${loginName}@example.com`, verification: { case: 'isVerified', value: true } },
        ...(password !== undefined && { passwordType: { case: 'password', value: { password } } }),
        ...(options.organizationId !== undefined && {
          organisation: { org: { case: 'orgId', value: options.organizationId } },
        }),
      },
      owner,
    )
    return { userId, loginName }
  }

  const create: WithSessions['create'] = async (request = {}, as = login.request) => {
    const { sessionId, sessionToken: token } = await call(v2.createSession, request, as)
    return { sessionId, token }
  }

  const set: WithSessions['set'] = async ({ sessionId, token }, request, as = nobody.request) => {
    const { sessionToken } = await call(v2.setSession, { sessionId, sessionToken: token, ...request }, as)
    return { sessionId, token: sessionToken }
  }

  return {
    login: login.request,
    loginId: login.userId,
    nobody: nobody.request,
    nobodyId: nobody.userId,
    addPerson,
    create,
    set,
    async get(sessionId, as = owner) {
      return (await call(v2.getSession, { sessionId }, as)).session ?? assert.fail('there is no session')
    },
    signIn: (person) => create({ checks: { ...userCheck(person), ...passwordCheck() } }),
    async addKey({ userId }, use) {
      const authenticator = newAuthenticator()
      if (use === 'passkey') {
        const medium = { case: 'returnCode', value: {} } as const
        const { code } = await call(users.createPasskeyRegistrationLink, { userId, medium }, owner)
        assert.ok(code)
        const started = await call(users.registerPasskey, { userId, domain: DOMAIN, code }, owner)
        const options = started.publicKeyCredentialCreationOptions as JsonObject
        const publicKeyCredential = authenticator.create(options, { origin: ORIGIN })
        const { passkeyId } = started
        await call(
          users.verifyPasskeyRegistration,
          { userId, passkeyId, passkeyName: 'A key', publicKeyCredential },
          owner,
        )
        return authenticator
      }
      const started = await call(users.registerU2F, { userId, domain: DOMAIN }, owner)
      const options = started.publicKeyCredentialCreationOptions as JsonObject
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN })
      await call(
        users.verifyU2FRegistration,
        { userId, u2fId: started.u2fId, tokenName: 'A key', publicKeyCredential },
        owner,
      )
      return authenticator
    },
    async setLogin(id, more) {
      const value = { ...BUILT_IN_LOGIN, ...more }
      const origin = { actor: 'server', at: world.clock.now } as const
      await world.store.write(origin, async (work) => {
        const before = await work.get(settings, id)
        if (isDeepStrictEqual(before?.state.login, value)) return
        await work.decide(settings, id, { type: 'set', section: 'login', manner: 'put', value }, id)
      })
    },
  }
}

/** The users, and how they sign in through the API. */
export const withSessions: Part<WithSessions> = { given }
