/** The second factors of a user in lists: those of this module, and security keys. */
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { findPendingKeys, keysOf } from '../passkeys/index.ts'
import type { HumanUser } from '../users/index.ts'
import { oneTimeCodesOf } from './documents.ts'
import type { Medium } from './events.ts'
import { verifiedTarget } from './handlers/change-otp.ts'

/** A second factor and whether it can be used now. */
export type ListedFactor = { readonly isReady: boolean } & (
  | { readonly type: 'totp' | 'otp_sms' | 'otp_email' }
  | { readonly type: 'key'; readonly id: string; readonly name: string }
)

/** The second factors of a user. Recovery codes are not included, because they only replace one. */
export async function listFactors(app: App, user: Document<HumanUser>): Promise<readonly ListedFactor[]> {
  const { totp, otp } = await oneTimeCodesOf(app, user.id)
  const mediumFactor = (medium: Medium): readonly ListedFactor[] =>
    otp[medium]?.isOn ? [{ type: `otp_${medium}`, isReady: verifiedTarget(user.state, medium) !== undefined }] : []
  const keys = await keysOf(app, user.id, 'second_factor')
  const pendingIds = await findPendingKeys(app, user.id, 'second_factor')
  return [
    ...(totp === undefined ? [] : [{ type: 'totp', isReady: totp.status === 'ready' } as const]),
    ...keys.map(({ id, name }) => ({ type: 'key', id, name, isReady: true }) as const),
    ...pendingIds.map((id) => ({ type: 'key', id, name: '', isReady: false }) as const),
    ...mediumFactor('sms'),
    ...mediumFactor('email'),
  ]
}
