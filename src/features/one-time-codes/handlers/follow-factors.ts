/** Gives a user the second factors of this module that they have in another product now, as part of a write. */
import { readTotpSecret } from '../../../crypto/totp.ts'
import type { App } from '../../../module/app.ts'
import type { Work } from '../../../store/index.ts'
import { oneTimeCodes, oneTimeCodesOf, sealedPlace } from '../documents.ts'
import type { Medium } from '../events.ts'
import { addOtp } from './change-otp.ts'
import { importTotp } from './set-up-totp.ts'
import { importRecoveryCodes } from './use-recovery-code.ts'

interface Owner {
  readonly userId: string
  readonly owner: string
}

/** The authenticator app; undefined: there is none. */
export async function followTotp(app: App, work: Work, of: Owner, secret: string | undefined): Promise<void> {
  const { userId } = of
  const { totp } = await oneTimeCodesOf(app, userId, work)
  const known =
    totp?.status === 'ready' ? await app.vault.open(sealedPlace(userId, 'totp'), totp.secret.seed) : undefined
  if (known === (secret && readTotpSecret(secret))) return
  if (totp !== undefined) await work.decide(oneTimeCodes, userId, { type: 'remove_totp' })
  if (secret !== undefined) await importTotp(app, work, of, secret)
}

/** Codes by email or text message. */
export async function followOtp(app: App, work: Work, userId: string, medium: Medium, isOn: boolean): Promise<void> {
  const { otp } = await oneTimeCodesOf(app, userId, work)
  if ((otp[medium]?.isOn === true) === isOn) return
  if (isOn) await addOtp(work, userId, medium)
  else await work.decide(oneTimeCodes, userId, { type: 'remove_otp', medium })
}

/** The recovery codes that are left, by their hashes. */
export async function followRecoveryCodes(app: App, work: Work, of: Owner, hashes: readonly string[]): Promise<void> {
  const { recovery } = await oneTimeCodesOf(app, of.userId, work)
  const left = recovery?.secret.hashes.filter((_, index) => !recovery.used.includes(index)) ?? []
  if (left.length === hashes.length && left.every((hash) => hashes.includes(hash))) return
  if (hashes.length > 0) await importRecoveryCodes(app, work, of, hashes)
  else await work.decide(oneTimeCodes, of.userId, { type: 'remove_recovery_codes' })
}
