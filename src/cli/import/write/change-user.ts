/** Changes users that are here to what the source has now, with everything that they sign in with. */
import { followHuman } from '../../../features/humans/index.ts'
import { followLinks } from '../../../features/identity-links/index.ts'
import {
  followMachine,
  followMachineSecret,
  importMachineKey,
  importToken,
  keepCredentials,
  machineKeys,
  personalAccessTokens,
} from '../../../features/machines/index.ts'
import { followOtp, followRecoveryCodes, followTotp } from '../../../features/one-time-codes/index.ts'
import { keepKeys } from '../../../features/passkeys/index.ts'
import { followPassword } from '../../../features/passwords/index.ts'
import { followState } from '../../../features/users/index.ts'
import type { HumanDraft, MachineDraft } from '../draft.ts'
import { addPasskey, linksOf, passwordOf } from './human.ts'
import { type ChangeDraft, tryPart, type Writing } from './writing.ts'

/** Who may act again gets it first, who may no longer loses it last: much can be changed only of active users. */
function isOpen({ state }: HumanDraft | MachineDraft): boolean {
  return state === 'active' || state === 'initial'
}

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
  if (isOpen(draft)) await followState(app, work, userId, draft.state)
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
  if (!isOpen(draft)) await followState(app, work, userId, draft.state)
}

async function changeCredentials({ app, work, draft, left, dates }: Writing<MachineDraft>): Promise<void> {
  const { id: userId, organizationId, keys, tokens, secret } = draft
  const owner = { userId, organizationId }
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
  const knownKeys = await keepCredentials(app, work, userId, 'keys', ids(keys))
  for (const key of keys.filter(({ id }) => !knownKeys.has(id))) {
    dates(machineKeys, key.id, { createdAt: key.createdAt, changedAt: key.createdAt })
    await tryPart(left, `The key ${key.id}`, () => importMachineKey(work, owner, key))
  }
  const knownTokens = await keepCredentials(app, work, userId, 'tokens', ids(tokens))
  for (const token of tokens.filter(({ id }) => !knownTokens.has(id))) {
    dates(personalAccessTokens, token.id, { createdAt: token.createdAt, changedAt: token.createdAt })
    await tryPart(left, `The personal access token ${token.id}`, () => importToken(work, owner, token))
  }
  await tryPart(left, 'The secret', () => followMachineSecret(app, work, owner, secret))
}

export const changeMachine: ChangeDraft<MachineDraft> = async (writing) => {
  const { app, work, draft } = writing
  const { id: userId, organizationId, userName, name, description, accessTokenType } = draft
  if (isOpen(draft)) await followState(app, work, userId, draft.state)
  const machine = { userName: userName.trim(), name, description, accessTokenType }
  await followMachine(app, work, { userId, organizationId, machine })
  await changeCredentials(writing)
  if (!isOpen(draft)) await followState(app, work, userId, draft.state)
}
