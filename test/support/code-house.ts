/** A house with people who have one-time codes, as sessions would ask for them, on two nodes. */
import assert from 'node:assert/strict'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { totpCode, totpStep } from '../../src/crypto/totp.ts'
import {
  challengeOtp,
  checkOtp,
  checkTotp,
  type Medium,
  type OneTimeCodesNeeds,
  type OtpChallenge,
  oneTimeCodes,
  useRecoveryCode,
} from '../../src/features/one-time-codes/index.ts'
import { attempts } from '../../src/features/verifications/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { Refused } from '../../src/kernel/refusal.ts'
import type { Store } from '../../src/store/index.ts'
import type { TestEngine } from './engines.ts'
import { openHouse } from './in-memory.ts'

/** The secret of everybody's app, that of the vectors of RFC 6238. */
export const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const v2 = UserService.method
const isVerified = { case: 'isVerified', value: true } as const

/** One of the two nodes. */
export type CodeNode = readonly [Store, OneTimeCodesNeeds]

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

/** Opens the house on an empty database. */
export async function openCodeHouse(engine: TestEngine) {
  const house = await openHouse(engine)
  const another = await house.another()
  const here: CodeNode = [house.store, house.rooms.oneTimeCodes]
  const there: CodeNode = [another.store, another.rooms.oneTimeCodes]
  const owner = house.defaultOrganizationId
  const origin = () => ({ actor: 'test', at: house.clock.now })
  let count = 0

  return {
    ...house,
    here,
    there,
    organizationId: owner,
    origin,
    wait(milliseconds: number): void {
      house.clock.now = instant(house.clock.now + milliseconds)
    },
    failures: async (userId: string): Promise<number> => (await house.store.get(attempts, userId))?.state.failures ?? 0,
    /** Somebody with verified addresses and codes to both of them; with a secret, also with an app. */
    async addPerson(totpSecret?: string): Promise<string> {
      const request = {
        username: `coder-${++count}`,
        profile: { firstName: 'Ada', lastName: 'Lovelace' },
        email: { email: `coder-${count}@example.com`, verification: isVerified },
        phone: { phone: '+41446681800', verification: isVerified },
        ...(totpSecret !== undefined && { totpSecret }),
      }
      const { userId } = await house.call(v2.addHumanUser, request, house.owner)
      await house.call(v2.addOTPSMS, { userId }, house.owner)
      await house.call(v2.addOTPEmail, { userId }, house.owner)
      return userId
    },
    /** The code that an app shows some steps from now. */
    shown: (steps = 0): string => totpCode(SECRET, totpStep(house.clock.now) + steps),
    totp: (userId: string, code: string, [store, needs] = here) =>
      store.write(origin(), (work) => checkTotp(needs, work, { userId, owner, code })),
    async challenge(userId: string, medium: Medium = 'sms', sessionId = 'session-1'): Promise<MadeCode> {
      const of = { medium, userId, owner, sessionId, delivery: 'return' } as const
      const { value } = await house.store.write(origin(), (work) => challengeOtp(house.rooms.oneTimeCodes, work, of))
      return { challenge: value.challenge, code: value.code ?? '', medium, sessionId }
    },
    otp: (userId: string, given: MadeCode, [store, needs] = here) =>
      store.write(origin(), (work) => checkOtp(needs, work, { userId, owner, ...given })),
    recoveryCodes: async (userId: string, many: number): Promise<readonly string[]> =>
      (await house.call(v2.generateRecoveryCodes, { userId, count: many }, house.owner)).recoveryCodes,
    recover: (userId: string, code: string, [store, needs] = here) =>
      store.write(origin(), (work) => useRecoveryCode(needs, work, { userId, owner, code })),
    /** Eight at once on two nodes: asserts that one wins, and that the others are refused. */
    async race(attempt: (node: CodeNode) => Promise<unknown>): Promise<void> {
      const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? here : there))
      const results = await Promise.allSettled(nodes.map(attempt))
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const result of results) if (result.status === 'rejected') assert.ok(result.reason instanceof Refused)
    },
    /** How many events of a type the codes of a person have. */
    countEvents: async (userId: string, type: string): Promise<number> =>
      (await house.store.events({ kinds: [oneTimeCodes.name], id: userId, types: [type], limit: 100 })).length,
  }
}

export type CodeHouse = Awaited<ReturnType<typeof openCodeHouse>>
