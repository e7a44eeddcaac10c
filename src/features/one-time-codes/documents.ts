/** The kind `one-time-codes`. Its documents have the ID of their user and are read only by ID. */
import type { App } from '../../module/app.ts'
import { kind, type Reader } from '../../store/index.ts'
import { noticeAfter } from '../mail/index.ts'
import { NO_ONE_TIME_CODES, type OneTimeCodes, oneTimeCodesDecider } from './decider.ts'
import { codesLeft } from './decisions/recovery-codes.ts'
import { oneTimeCodesEvents } from './events.ts'
import { oneTimeCodeRefusals } from './refusals.ts'

export const oneTimeCodes = kind({
  name: 'one-time-codes',
  ids: { of: 'user' },
  waits: false,
  path: false,
  version: 2,
  personal: { by: 'id' },
  events: oneTimeCodesEvents,
  decider: oneTimeCodesDecider,
  refusals: oneTimeCodeRefusals,
  fields: {},
  isGone: (state) => state.isRemoved,
  jobAfter: (event, { id }) => noticeAfter(event, id),
  sealed: ({ totp, recovery }) => [
    ...(totp === undefined ? [] : [sealedTotp(totp.secret.seed)]),
    ...(recovery === undefined || recovery.secret.key === '' ? [] : [sealedRecovery(recovery.secret.key)]),
  ],
})

function sealedTotp(before: string) {
  return {
    member: 'totp',
    text: before,
    reseal: (seed: string) => ({ type: 'reseal_totp', before, seed }) as const,
  }
}

function sealedRecovery(before: string) {
  return {
    member: 'recovery',
    text: before,
    reseal: (key: string) => ({ type: 'reseal_recovery_codes', before, key }) as const,
  }
}

/** The place for which the secret of an app or the key of recovery codes is encrypted. */
export function sealedPlace(userId: string, member: 'totp' | 'recovery') {
  return { kind: oneTimeCodes.name, id: userId, member } as const
}

/** The one-time codes of a user. */
export async function oneTimeCodesOf(app: App, userId: string, reader: Reader = app.store): Promise<OneTimeCodes> {
  const document = await reader.get(oneTimeCodes, userId)
  return document?.state ?? NO_ONE_TIME_CODES
}

/** A second factor that users type in. */
export type SecondFactor = 'totp' | 'otp_sms' | 'otp_email' | 'recovery_code'

/**
 * The typed second factors that a user has set up. A medium counts even while a new address is not verified yet, so
 * that changing the address never makes a second factor unnecessary.
 */
export async function secondFactorsOf(
  app: App,
  userId: string,
  reader: Reader = app.store,
): Promise<readonly SecondFactor[]> {
  const { totp, otp, recovery } = await oneTimeCodesOf(app, userId, reader)
  const factors: SecondFactor[] = []
  if (totp?.status === 'ready') factors.push('totp')
  if (otp.sms?.isOn) factors.push('otp_sms')
  if (otp.email?.isOn) factors.push('otp_email')
  if (recovery !== undefined && codesLeft(recovery) > 0) factors.push('recovery_code')
  return factors
}
