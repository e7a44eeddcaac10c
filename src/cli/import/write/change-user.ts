/** Changes users that are here to what the source has now, with everything that they sign in with. */
import { followHuman } from '../../../features/humans/index.ts'
import { followLinks } from '../../../features/identity-links/index.ts'
import { followOtp, followRecoveryCodes, followTotp } from '../../../features/one-time-codes/index.ts'
import { keepKeys } from '../../../features/passkeys/index.ts'
import { followPassword } from '../../../features/passwords/index.ts'
import { type LivingUser, putInState, users } from '../../../features/users/index.ts'
import type { HumanDraft } from '../draft.ts'
import { addPasskey, linksOf, passwordOf } from './human.ts'
import { type ChangeDraft, tryPart, type Writing } from './writing.ts'

/** All members, because what is missing would stay as it is. */
function profileOf({ firstName, lastName, ...rest }: HumanDraft['profile']) {
  const { nickName = '', displayName = '', preferredLanguage = '', gender = 'unspecified' } = rest
  return { firstName, lastName, nickName, displayName, preferredLanguage, gender } as const
}

async function changeFactors({ app, work, draft, left }: Writing<HumanDraft>): Promise<void> {
  const { id: userId, organizationId: owner, totpSecret, otpEmail, otpSms, recoveryCodes } = draft
  const of = { userId, owner }
  await tryPart(left, 'The authenticator app', () => followTotp(app, work, of, totpSecret))
  await tryPart(left, 'The second factor by email', () => followOtp(app, work, userId, 'email', otpEmail))
  await tryPart(left, 'The second factor by text message', () => followOtp(app, work, userId, 'sms', otpSms))
  const hashes = recoveryCodes.map(({ hash }) => hash)
  await tryPart(left, 'The recovery codes', () => followRecoveryCodes(app, work, of, hashes))
}

async function changePasskeys(writing: Writing<HumanDraft>): Promise<void> {
  const { app, work, draft, left } = writing
  const ids = draft.passkeys.map(({ id }) => id)
  const known = await keepKeys(app, work, draft.id, ids)
  for (const key of draft.passkeys) {
    if (!known.has(key.id)) await tryPart(left, `The passkey ${key.id}`, () => addPasskey(writing, key))
  }
}

export const changeHuman: ChangeDraft<HumanDraft> = async (writing) => {
  const { app, work, draft, left } = writing
  const { id: userId, organizationId, userName, email, phone } = draft
  const before = (await work.get(users, userId))?.state as LivingUser
  await putInState({ app, work, id: userId }, draft.state, before, async () => {
    await followHuman(app, work, userId, {
      userName: userName.trim(),
      profile: profileOf(draft.profile),
      ...(email && {
        email: { address: email.address, verification: { type: 'known', isVerified: email.isVerified } },
      }),
      phone: { text: phone?.number ?? '', verification: { type: 'known', isVerified: phone?.isVerified === true } },
    })
    const password = passwordOf(writing)
    if (password !== undefined) {
      const { changeRequired, setAt } = password
      const { hash } = password.password
      await followPassword(app, work, { userId, owner: organizationId, hash, changeRequired, setAt })
    }
    await changeFactors(writing)
    await changePasskeys(writing)
    const links = linksOf(writing, true)
    await tryPart(left, 'Its links to identity providers', () =>
      followLinks(app, work, { userId, organizationId }, links),
    )
  })
}
