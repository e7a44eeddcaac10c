/** How the second factors that users type in are carried, as parts of a user. */
import { readTotpSecret } from '../../crypto/totp.ts'
import type { App } from '../../module/app.ts'
import type { Arriving, OpenedDocument } from '../../module/carried.ts'
import type { Dates, Work } from '../../store/index.ts'
import type { OneTimeCodes } from './decider.ts'
import { oneTimeCodes, oneTimeCodesOf, sealedPlace } from './documents.ts'
import type { Medium } from './events.ts'
import { addOtp } from './handlers/change-otp.ts'
import { importTotp } from './handlers/set-up-totp.ts'
import { importRecoveryCodes, type RestoredCodes, restoreRecoveryCodes } from './handlers/use-recovery-code.ts'

export interface CarriedFactors {
  /** Base32. */
  readonly totpSecret?: string | undefined
  /** The 30-second step of the last code of the authenticator app, which is used up. */
  readonly totpStep?: number | undefined
  readonly otpEmail: boolean
  readonly otpSms: boolean
  /** Of another product. */
  readonly recoveryCodes: readonly { readonly hash: string }[]
  readonly recovery?: RestoredCodes | undefined
  readonly factorDates?: Dates | undefined
}

export function describeFactors(found: OpenedDocument<OneTimeCodes> | undefined): CarriedFactors {
  if (found === undefined) return { otpEmail: false, otpSms: false, recoveryCodes: [] }
  const { state, createdAt, changedAt, unseal } = found
  const { totp, otp, recovery } = state
  const key = recovery && unseal('recovery')
  return {
    otpEmail: otp.email?.isOn === true,
    otpSms: otp.sms?.isOn === true,
    recoveryCodes: [],
    factorDates: { createdAt, changedAt },
    ...(totp?.status === 'ready' && {
      totpSecret: unseal('totp'),
      // Steps are counted from 1970.
      ...(totp.lastStep >= 0 && { totpStep: totp.lastStep }),
    }),
    ...(recovery && {
      recovery: { ...(key !== undefined && { key }), hashes: recovery.secret.hashes, used: recovery.used },
    }),
  }
}

interface Owner {
  readonly userId: string
  readonly owner: string
}

/** The authenticator app; undefined: there is none. */
async function followTotp(app: App, work: Work, of: Owner, secret: string | undefined): Promise<void> {
  const { userId } = of
  const { totp } = await oneTimeCodesOf(app, userId, work)
  const known =
    totp?.status === 'ready' ? await app.vault.open(sealedPlace(userId, 'totp'), totp.secret.seed) : undefined
  if (known === (secret && readTotpSecret(secret))) return
  if (totp !== undefined) await work.decide(oneTimeCodes, userId, { type: 'remove_totp' })
  if (secret !== undefined) await importTotp(app, work, of, secret)
}

/** Codes by email or text message. */
async function followOtp(app: App, work: Work, userId: string, medium: Medium, isOn: boolean): Promise<void> {
  const { otp } = await oneTimeCodesOf(app, userId, work)
  if ((otp[medium]?.isOn === true) === isOn) return
  if (isOn) await addOtp(work, userId, medium)
  else await work.decide(oneTimeCodes, userId, { type: 'remove_otp', medium })
}

/** The recovery codes that are left, by their hashes. */
async function followRecoveryCodes(app: App, work: Work, of: Owner, hashes: readonly string[]): Promise<void> {
  const { recovery } = await oneTimeCodesOf(app, of.userId, work)
  const left = recovery?.secret.hashes.filter((_, index) => !recovery.used.includes(index)) ?? []
  if (left.length === hashes.length && left.every((hash) => hashes.includes(hash))) return
  if (hashes.length > 0) await importRecoveryCodes(app, work, of, hashes)
  else await work.decide(oneTimeCodes, of.userId, { type: 'remove_recovery_codes' })
}

/** Gives a user the second factors that they have in the source. The authenticator app of a new user came with them. */
export async function putFactors(
  { app, work, id: userId, owner, dates, part }: Arriving<unknown>,
  { totpSecret, otpEmail, otpSms, recoveryCodes, recovery, factorDates }: CarriedFactors,
  isNew: boolean,
): Promise<void> {
  const of = { userId, owner }
  if (factorDates !== undefined) dates(oneTimeCodes, userId, factorDates)
  if (!isNew) await part('The authenticator app', () => followTotp(app, work, of, totpSecret))
  await part('The second factor by email', () => followOtp(app, work, userId, 'email', otpEmail))
  await part('The second factor by text message', () => followOtp(app, work, userId, 'sms', otpSms))
  const hashes = recoveryCodes.map(({ hash }) => hash)
  await part('The recovery codes', async () => {
    if (recovery === undefined) await followRecoveryCodes(app, work, of, hashes)
    else if (isNew) await restoreRecoveryCodes(app, work, of, recovery)
  })
}
