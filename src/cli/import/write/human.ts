/** Writes human users with everything that they sign in with, in one commit. */
import { importDeletion } from '../../../features/account/index.ts'
import { requireAsset } from '../../../features/assets/index.ts'
import { addHuman, prepareHuman } from '../../../features/humans/index.ts'
import {
  addOtp,
  importRecoveryCodes,
  oneTimeCodes,
  restoreRecoveryCodes,
} from '../../../features/one-time-codes/index.ts'
import { canUseKeysOf, importPasskey, passkeys } from '../../../features/passkeys/index.ts'
import { passwords } from '../../../features/passwords/index.ts'
import { importState, users } from '../../../features/users/index.ts'
import type { HumanDraft, PasskeyDraft } from '../draft.ts'
import { isThere, tryPart, type WriteDraft, type Writing } from './writing.ts'

const FIELDS = { prefix: '', outer: '', userName: 'userName' } as const

function profileOf({ firstName, lastName, ...rest }: HumanDraft['profile']) {
  const { nickName, displayName, preferredLanguage, gender } = rest
  return {
    firstName,
    lastName,
    ...(nickName !== undefined && { nickName }),
    ...(displayName !== undefined && { displayName }),
    ...(preferredLanguage !== undefined && { preferredLanguage }),
    ...(gender !== undefined && { gender }),
  }
}

/** A hash that cannot be checked here stays behind, and the user sets a new password. */
export function passwordOf({ app, draft, left }: Writing<HumanDraft>) {
  const { password } = draft
  if (password === undefined) return undefined
  const { hash, changeRequired, changedAt: setAt } = password
  const flaw = app.hashing.checkImport(hash)
  if (flaw === undefined) return { password: { hash }, field: 'password', changeRequired, setAt }
  left.push(`The password was not carried: ${flaw.description} The user needs a new one.`)
  return undefined
}

export function linksOf({ draft }: Writing<HumanDraft>, hasLinks: boolean) {
  if (!hasLinks) return []
  return draft.links.map(({ providerId, userId, userName }) => ({
    idpId: providerId,
    externalUserId: userId,
    externalUserName: userName,
  }))
}

async function addUser(writing: Writing<HumanDraft>, hasLinks: boolean): Promise<void> {
  const { app, work, draft } = writing
  const { id, organizationId, userName, email, phone, state, totpSecret } = draft
  const given = {
    userId: id,
    userName,
    profile: profileOf(draft.profile),
    nameSince: draft.nameSince,
    email: {
      address: email?.address ?? '',
      verification: { type: 'known', isVerified: email?.isVerified === true },
      ...(draft.emailKnown && { known: draft.emailKnown }),
    },
    ...(phone && {
      phone: { text: phone.number, verification: { type: 'known', isVerified: phone.isVerified } } as const,
    }),
    password: passwordOf(writing),
    totpSecret,
    totpStep: draft.totpStep,
    links: linksOf(writing, hasLinks),
    linkSpeaker: 'instance',
    needsSetUp: draft.needsSetUp ?? state === 'initial',
  } as const
  await addHuman(app, work, await prepareHuman(app, organizationId, given, FIELDS))
}

export async function addPasskey(writing: Writing<HumanDraft>, passkey: PasskeyDraft): Promise<void> {
  const { app, work, draft, left, dates } = writing
  const { id: userId, organizationId: owner } = draft
  const { id, createdAt, use, ...rest } = passkey
  dates(passkeys, id, { createdAt, changedAt: createdAt })
  const key = { ...rest, use: use === 'passkey' ? 'passkey' : 'second_factor' } as const
  await importPasskey(work, { id, userId, owner, ...key })
  if (!canUseKeysOf(app, passkey.rpId)) {
    left.push(`The passkey ${id} was carried, but works only where the address of this server is ${passkey.rpId}.`)
  }
}

async function addFactors(writing: Writing<HumanDraft>, hasPasskeys: boolean): Promise<void> {
  const { app, work, draft, left, dates } = writing
  const { id, organizationId: owner, otpEmail, otpSms, recoveryCodes, recovery, passkeys: keys } = draft
  if (draft.factorDates !== undefined) dates(oneTimeCodes, id, draft.factorDates)
  if (otpEmail) await tryPart(left, 'The second factor by email', () => addOtp(work, id, 'email'))
  if (otpSms) await tryPart(left, 'The second factor by text message', () => addOtp(work, id, 'sms'))
  if (recoveryCodes.length > 0) {
    const hashes = recoveryCodes.map(({ hash }) => hash)
    await tryPart(left, 'The recovery codes', () => importRecoveryCodes(app, work, { userId: id, owner }, hashes))
  }
  if (recovery !== undefined) {
    await tryPart(left, 'The recovery codes', () => restoreRecoveryCodes(app, work, { userId: id, owner }, recovery))
  }
  for (const key of hasPasskeys ? keys : []) {
    await tryPart(left, `The passkey ${key.id}`, () => addPasskey(writing, key))
  }
}

/** What only an export of Signet knows. */
async function addKnown({ work, draft }: Writing<HumanDraft>): Promise<void> {
  const { id, invitation, avatar, deletion } = draft
  if (invitation !== undefined) await work.decide(users, id, { type: 'invite', invitation })
  if (avatar !== undefined) {
    await requireAsset(work, avatar)
    await work.decide(users, id, { type: 'set_avatar', asset: avatar })
  }
  if (deletion !== undefined) await importDeletion(work, id, deletion)
}

/** What a second attempt leaves out, because somebody else here has it. */
export interface LeftOut {
  readonly links?: boolean
  readonly passkeys?: boolean
}

export function writeHuman({ links = false, passkeys: keys = false }: LeftOut = {}): WriteDraft<HumanDraft> {
  return async (writing) => {
    const { app, work, draft, left, dates } = writing
    if (await isThere(work, users, draft.id, draft.organizationId)) return { end: 'there' }
    if (links && draft.links.length > 0) {
      left.push(
        'Its links to identity providers were not carried: a provider is missing here, or another user has one.',
      )
    }
    if (keys && draft.passkeys.length > 0)
      left.push('Its passkeys were not carried: another user here has one of them.')
    if (draft.passwordDates !== undefined) dates(passwords, draft.id, draft.passwordDates)
    await addUser(writing, !links)
    await addFactors(writing, !keys)
    if (draft.setUpSkippedAt !== undefined) {
      await work.decide(users, draft.id, { type: 'skip_mfa_init', at: draft.setUpSkippedAt })
    }
    await addKnown(writing)
    await importState(app, work, draft.id, draft.state)
    return { end: 'carried' }
  }
}
