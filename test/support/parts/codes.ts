/** Users who have one-time codes, as sessions request them, on two nodes. */
import assert from 'node:assert/strict'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { totpCode, totpStep } from '../../../src/crypto/totp.ts'
import { deliveryToNewUser } from '../../../src/features/messages/index.ts'
import {
  challengeOtp,
  checkOtp,
  checkTotp,
  type Medium,
  type OtpChallenge,
  oneTimeCodes,
  useRecoveryCode,
} from '../../../src/features/one-time-codes/index.ts'
import { attempts, countFailures, NO_ATTEMPTS } from '../../../src/features/verifications/index.ts'
import { instant } from '../../../src/kernel/instant.ts'
import { Refused } from '../../../src/kernel/refusal.ts'
import type { World, WorldNode, WorldWith } from '../world.ts'

/** The secret of all apps, from the vectors of RFC 6238. */
export const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const v2 = UserService.method
const isVerified = { case: 'isVerified', value: true } as const

/** One of the two nodes. */
export type CodeNode = WorldNode['app']

/** A code that was made, with what checks it. */
export interface MadeCode {
  readonly challenge: OtpChallenge
  readonly code: string
  readonly medium: Medium
  readonly sessionId: string
}

/** Another code of the same length. */
export function wrong(code: string): string {
  return code.replace(/./, (first) => String((Number(first) + 1) % 10))
}

async function given(world: World) {
  const another = await world.another()
  const here: CodeNode = world.app
  const there: CodeNode = another.app
  const owner = world.defaultOrganizationId
  const origin = () => ({ actor: { user: 'test' }, at: world.clock.now }) as const
  let count = 0

  return {
    here,
    there,
    organizationId: owner,
    origin,
    wait(milliseconds: number): void {
      world.clock.now = instant(world.clock.now + milliseconds)
    },
    failures: async (userId: string): Promise<number> =>
      countFailures((await world.store.get(attempts, userId))?.state ?? NO_ATTEMPTS),
    /** Somebody with verified addresses and codes to both of them; with a secret, also with an app. */
    async addPerson(totpSecret?: string): Promise<string> {
      const request = {
        username: `coder-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `coder-${count}@example.com`, verification: isVerified },
        phone: { phone: '+41446681800', verification: isVerified },
        ...(totpSecret !== undefined && { totpSecret }),
      }
      const { userId } = await world.call(v2.addHumanUser, request, world.owner)
      await world.call(v2.addOTPSMS, { userId }, world.owner)
      await world.call(v2.addOTPEmail, { userId }, world.owner)
      return userId
    },
    /** The code of an app some steps from now. */
    shown: (steps = 0): string => totpCode(SECRET, totpStep(world.clock.now) + steps),
    totp: (userId: string, code: string, app = here) =>
      app.store.write(origin(), (work) => checkTotp(app, work, { userId, owner, code })),
    async challenge(userId: string, medium: Medium = 'sms', sessionId = 'session-1'): Promise<MadeCode> {
      const of = { medium, userId, owner, sessionId, delivery: deliveryToNewUser({ type: 'return' }) } as const
      const { value } = await world.store.write(origin(), (work) => challengeOtp(world.app, work, of))
      return { challenge: value.challenge, code: value.code ?? '', medium, sessionId }
    },
    otp: (userId: string, given: MadeCode, app = here) =>
      app.store.write(origin(), (work) => checkOtp(app, work, { userId, owner, ...given })),
    recoveryCodes: async (userId: string, many: number): Promise<readonly string[]> =>
      (await world.call(v2.generateRecoveryCodes, { userId, count: many }, world.owner)).recoveryCodes,
    recover: (userId: string, code: string, app = here) =>
      app.store.write(origin(), (work) => useRecoveryCode(app, work, { userId, owner, code })),
    /** Runs eight attempts at the same time on two nodes; asserts that one succeeds and the others are refused. */
    async race(attempt: (node: CodeNode) => Promise<unknown>): Promise<void> {
      const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? here : there))
      const results = await Promise.allSettled(nodes.map(attempt))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results) if (result.status === 'rejected') assert.ok(result.reason instanceof Refused)
    },
    /** Counts the events of a type of a user's codes. */
    countEvents: async (userId: string, type: string): Promise<number> =>
      (await world.store.events({ kinds: [oneTimeCodes.name], id: userId, types: [type], limit: 100 })).length,
  }
}

export type CodeWorld = WorldWith<Awaited<ReturnType<typeof given>>>

/** The users, and the second node. */
export const withCodes = { given }
