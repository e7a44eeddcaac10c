/** Describes users with everything that they sign in with, and what they may do. */

import { identityLinks } from '../../features/identity-links/index.ts'
import { identityProviders } from '../../features/identity-providers/index.ts'
import { oneTimeCodes } from '../../features/one-time-codes/index.ts'
import { passkeys } from '../../features/passkeys/index.ts'
import { passwords } from '../../features/passwords/index.ts'
import { type HumanUser, isLiving, users } from '../../features/users/index.ts'
import type { HumanDraft } from '../import/draft.ts'
import type { LinkDraft, OwnPasskeyDraft } from '../import/own-drafts.ts'
import { datesOf, type Reading, type Row, type StateOf } from './reading.ts'

/** The step of a code that was used; steps are counted from 1970. */
function usedStep(lastStep: number): { readonly totpStep?: number } {
  return lastStep < 0 ? {} : { totpStep: lastStep }
}

type CodesRow = Row<StateOf<typeof oneTimeCodes>>
type Factors = Pick<HumanDraft, 'otpEmail' | 'otpSms' | 'totpSecret' | 'totpStep' | 'recovery' | 'factorDates'>

function factorsOf(reading: Reading, row: CodesRow | undefined): Factors {
  if (row === undefined) return { otpEmail: false, otpSms: false }
  const { totp, otp, recovery } = row.state
  const totpSecret = totp?.status === 'ready' ? reading.unseal(oneTimeCodes, row, 'totp') : undefined
  const key = recovery && reading.unseal(oneTimeCodes, row, 'recovery')
  return {
    otpEmail: otp.email?.isOn === true,
    otpSms: otp.sms?.isOn === true,
    factorDates: datesOf(row),
    ...(totpSecret !== undefined && { totpSecret, ...usedStep(totp?.lastStep ?? -1) }),
    ...(recovery && {
      recovery: { ...(key !== undefined && { key }), hashes: recovery.secret.hashes, used: recovery.used },
    }),
  }
}

type PasswordRow = Row<StateOf<typeof passwords>>

function passwordOf(row: PasswordRow | undefined): Pick<HumanDraft, 'password' | 'passwordDates'> {
  if (row?.state.status !== 'set') return {}
  const { secret, changeRequired, changedAt } = row.state
  return { password: { hash: secret.hash, changeRequired, changedAt }, passwordDates: datesOf(row) }
}

function humanOf({ id, owner, state, ...row }: Row<HumanUser>) {
  const { userName, nameSince, status, needsSetUp, profile, email, phone, invitation, deletion, avatar } = state
  const { gender, ...names } = profile
  const { basis, since } = email
  return {
    kind: 'human',
    id,
    organizationId: owner,
    ...datesOf(row),
    userName,
    ...(nameSince !== undefined && { nameSince }),
    state: status,
    needsSetUp,
    profile: { ...names, ...(gender !== 'unspecified' && { gender }) },
    email: { address: email.address, isVerified: email.isVerified },
    emailKnown: { ...(basis !== undefined && { basis }), ...(since !== undefined && { since }) },
    ...(phone && { phone }),
    ...(invitation && { invitation }),
    ...(deletion && { deletion }),
    ...(avatar && { avatar }),
    ...(state.mfaInitSkippedAt !== undefined && { setUpSkippedAt: state.mfaInitSkippedAt }),
    recoveryCodes: [],
    passkeys: [],
    links: [],
  } as const
}

export async function* describeHumans(reading: Reading): AsyncGenerator<HumanDraft> {
  const hashes = reading.beside(passwords)
  const codes = reading.beside(oneTimeCodes)
  for await (const { state, ...row } of reading.rows(users)) {
    if (!isLiving(state) || state.type !== 'human') continue
    const factors = factorsOf(reading, await codes.at(row.id))
    yield { ...humanOf({ ...row, state }), ...passwordOf(await hashes.at(row.id)), ...factors }
  }
}

export async function* describePasskeys(reading: Reading): AsyncGenerator<OwnPasskeyDraft> {
  for await (const { state, id, owner, ...row } of reading.rows(passkeys)) {
    if (state.status !== 'ready') continue
    const { status: _, use, ...key } = state
    const about = { kind: 'passkey', id, organizationId: owner, ...datesOf(row) } as const
    yield { ...about, ...key, use: use === 'passkey' ? 'passkey' : 'second-factor' }
  }
}

/** Links to accounts that a provider had before it became another server are about to be removed: they stay behind. */
export async function* describeLinks(reading: Reading): AsyncGenerator<LinkDraft> {
  const versions = new Map<string, number>()
  for await (const { id, state } of reading.rows(identityProviders)) {
    if ('accountsVersion' in state && state.accountsVersion !== undefined) versions.set(id, state.accountsVersion)
  }
  for await (const { state, id, owner, ...row } of reading.rows(identityLinks)) {
    if (state.status === 'none' || state.accountsVersion !== (versions.get(state.idpId) ?? 0)) continue
    const isProposal = state.status === 'proposed'
    const { userId, externalUserId, externalUserName } = isProposal ? state.proposal : state
    const about = { kind: 'identity-link', id, organizationId: owner, ...datesOf(row) } as const
    const link = { userId, providerId: state.idpId, externalUserId, externalUserName }
    yield { ...about, ...link, ...(isProposal && { isProposal }) }
  }
}
