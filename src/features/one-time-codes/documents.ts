/** The kind `one-time-codes`. Nobody looks for its documents: the id is the user's. */
import { kind, type Reader } from '../../store/index.ts'
import { NO_ONE_TIME_CODES, type OneTimeCodes, oneTimeCodesDecider } from './decider.ts'
import { codesLeft } from './decisions/recovery-codes.ts'
import { oneTimeCodesEvents } from './events.ts'
import { oneTimeCodeRefusals } from './refusals.ts'

export const oneTimeCodes = kind({
  name: 'one-time-codes',
  version: 1,
  events: oneTimeCodesEvents,
  decider: oneTimeCodesDecider,
  refusals: oneTimeCodeRefusals,
  fields: {},
  isGone: (state) => state.isRemoved,
})

/** What a person has of one-time codes. */
export async function oneTimeCodesOf(reader: Reader, userId: string): Promise<OneTimeCodes> {
  return (await reader.get(oneTimeCodes, userId))?.state ?? NO_ONE_TIME_CODES
}

/** A second factor that is typed. */
export type SecondFactor = 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code'

/**
 * The second factors of this room that a person has set up. A medium counts even while its new address waits for its
 * verification, so that changing an address never makes a second factor unnecessary.
 */
export async function secondFactorsOf(reader: Reader, userId: string): Promise<readonly SecondFactor[]> {
  const { totp, otp, recovery } = await oneTimeCodesOf(reader, userId)
  const factors: SecondFactor[] = []
  if (totp?.status === 'ready') factors.push('totp')
  if (otp.sms?.isOn) factors.push('otp_sms')
  if (otp.email?.isOn) factors.push('otp_email')
  if (recovery !== undefined && codesLeft(recovery) > 0) factors.push('recovery_code')
  return factors
}

/** For the room of users: the ways to sign in that this room knows. */
export function findOneTimeMethods(store: Reader) {
  return (userId: string): Promise<readonly SecondFactor[]> => secondFactorsOf(store, userId)
}
