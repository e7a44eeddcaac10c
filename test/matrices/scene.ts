/** A world on two nodes with quick ways to bring people into the states that the matrices ask about. */
import assert from 'node:assert/strict'
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { UserVerificationRequirement } from '../../contract/gen/signet/session/v2/check_pb.ts'
import type { AddHumanUserRequestSchema } from '../../contract/gen/signet/user/v2/human_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { Failed } from '../../src/http/protocols/errors.ts'
import { instant } from '../../src/kernel/instant.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { Store } from '../../src/store/index.ts'
import { type Authenticator, newAuthenticator } from '../support/authenticator.ts'
import type { TestEngine } from '../support/engines.ts'
import { DOMAIN, ORIGIN, openSessionWorld, type SessionWorld, userCheck, v2 } from '../support/session-world.ts'
import type { WorldNode } from '../support/world.ts'

export const users = UserService.method
export const returnCode = { case: 'returnCode', value: {} } as const
export const isVerified = { case: 'isVerified', value: true } as const

/** One process of the world. */
export type Node = Pick<WorldNode, 'call' | 'app'>

/** Somebody new; whatever is not given is as little as possible. */
export interface NewHuman {
  readonly hasVerifiedAddresses?: boolean
  readonly password?: string
  readonly totpSecret?: string
  readonly organizationId?: string
}

export interface Scene extends SessionWorld {
  readonly here: Node
  readonly there: Node
  wait(milliseconds: number): void
  /** A process that knows nothing but what is stored; the one that was started last before it is over. */
  restart(): Promise<Node>
  addHuman(made?: NewHuman): Promise<string>
  /** A session about a person of whom nothing is proved. */
  openSession(userId: string): Promise<string>
  /** Gives a person a passkey or a second-factor key. */
  giveKey(userId: string, use: 'passkey' | 'second_factor'): Promise<Authenticator>
  /** Asks for a key in a session, and answers what to show for it. */
  askForKey(sessionId: string, authenticator: Authenticator, use: 'passkey' | 'second_factor'): Promise<JsonObject>
  /** Asks for a code in a session, and answers it. */
  askForCode(sessionId: string, medium: 'sms' | 'email'): Promise<string>
}

/** `passes`, or the code of the refusal, whoever refused. */
export async function outcomeOf(shown: Promise<unknown>): Promise<string> {
  try {
    await shown
    return 'passes'
  } catch (error) {
    if (error instanceof Refused) return error.code
    if (error instanceof Failed) return error.failure.id
    throw error
  }
}

/** A code of the same length that is another one. */
export function otherCode(code: string): string {
  return code.replace(/^./, (first) =>
    /\d/.test(first) ? String((Number(first) + 1) % 10) : first === 'A' ? 'B' : 'A',
  )
}

/** Opens the world on an empty database. */
export async function openScene(engine?: TestEngine): Promise<Scene> {
  const world = await openSessionWorld(engine)
  const { call, owner, login, clock } = world
  let count = 0
  let restarted: Store | undefined

  return {
    ...world,
    here: world,
    there: await world.another(),
    async restart() {
      await restarted?.close()
      const node = await world.another()
      restarted = node.store
      return node
    },
    wait(milliseconds) {
      clock.now = instant(clock.now + milliseconds)
    },
    async addHuman({ hasVerifiedAddresses = false, password, totpSecret, organizationId } = {}) {
      const verification = hasVerifiedAddresses ? isVerified : returnCode
      const request: MessageInitShape<typeof AddHumanUserRequestSchema> = {
        username: `human-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `human-${count}@example.com`, verification },
        phone: { phone: '+41446681800', verification },
        ...(password !== undefined && { passwordType: { case: 'password', value: { password } } }),
        ...(totpSecret !== undefined && { totpSecret }),
        ...(organizationId !== undefined && { organisation: { org: { case: 'orgId', value: organizationId } } }),
      }
      return (await call(users.addHumanUser, request, owner)).userId
    },
    openSession: async (userId) => (await call(v2.createSession, { checks: userCheck({ userId }) }, login)).sessionId,
    async giveKey(userId, use) {
      const authenticator = newAuthenticator()
      if (use === 'second_factor') {
        const { u2fId, publicKeyCredentialCreationOptions: options } = await call(users.registerU2F, { userId }, owner)
        const publicKeyCredential = authenticator.create(options ?? {}, { origin: ORIGIN })
        const named = { userId, u2fId, tokenName: 'A key', publicKeyCredential }
        await call(users.verifyU2FRegistration, named, owner)
        return authenticator
      }
      const started = await call(users.registerPasskey, { userId }, owner)
      const options = started.publicKeyCredentialCreationOptions ?? {}
      const publicKeyCredential = authenticator.create(options, { origin: ORIGIN })
      const { passkeyId } = started
      const named = { userId, passkeyId, passkeyName: 'A key', publicKeyCredential }
      await call(users.verifyPasskeyRegistration, named, owner)
      return authenticator
    },
    async askForKey(sessionId, authenticator, use) {
      const { REQUIRED, PREFERRED } = UserVerificationRequirement
      const userVerificationRequirement = use === 'passkey' ? REQUIRED : PREFERRED
      const webAuthN = { domain: DOMAIN, userVerificationRequirement }
      const { challenges } = await call(v2.setSession, { sessionId, challenges: { webAuthN } }, login)
      return authenticator.get(challenges?.webAuthN?.publicKeyCredentialRequestOptions ?? {}, { origin: ORIGIN })
    },
    async askForCode(sessionId, medium) {
      const asked = medium === 'sms' ? { otpSms: { returnCode: true } } : { otpEmail: { deliveryType: returnCode } }
      const { challenges } = await call(v2.setSession, { sessionId, challenges: asked }, login)
      return challenges?.[medium === 'sms' ? 'otpSms' : 'otpEmail'] ?? assert.fail('there is no code')
    },
  }
}
