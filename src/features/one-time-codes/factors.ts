/** The second factors of a person as a list shows them: those of this room, and keys, which another room knows. */
import type { Document } from '../../store/index.ts'
import type { HumanUser } from '../users/index.ts'
import { oneTimeCodesOf } from './documents.ts'
import type { Medium } from './events.ts'
import type { OneTimeCodesNeeds } from './needs.ts'
import { verifiedTarget } from './people.ts'

/** A second factor and whether it can be used now. */
export type ListedFactor = { readonly isReady: boolean } & (
  | { readonly type: 'totp' | 'otp_sms' | 'otp_email' }
  | { readonly type: 'key'; readonly id: string; readonly name: string }
)

/** The second factors of a person; recovery codes are not among them, as they stand in for the others. */
export async function listFactors(
  { store, findKeys }: Pick<OneTimeCodesNeeds, 'store' | 'findKeys'>,
  user: Document<HumanUser>,
): Promise<readonly ListedFactor[]> {
  const { totp, otp } = await oneTimeCodesOf(store, user.id)
  const mediumFactor = (medium: Medium): readonly ListedFactor[] =>
    otp[medium]?.isOn ? [{ type: `otp_${medium}`, isReady: verifiedTarget(user.state, medium) !== undefined }] : []
  const keys = await findKeys(user.id)
  return [
    ...(totp === undefined ? [] : [{ type: 'totp', isReady: totp.status === 'ready' } as const]),
    ...keys.map(({ id, name }) => ({ type: 'key', id, name, isReady: true }) as const),
    ...mediumFactor('sms'),
    ...mediumFactor('email'),
  ]
}
