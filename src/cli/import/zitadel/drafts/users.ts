/** Users as drafts. */
import type { CarriedHuman, MachineDraft, PasskeyDraft } from '../../draft.ts'
import type { CryptoValue } from '../event.ts'
import type { Folded } from '../fold.ts'
import { avatars, type UserState, users } from '../folds/users.ts'
import { type KeyRing, wrongMasterKey } from '../keys.ts'
import { folded, type Item, type Reading, remark, removed } from '../reading.ts'
import { keyDrafts } from './keys.ts'
import { CARRIED_TYPES } from './providers.ts'

const GENDERS = [undefined, 'female', 'male', 'diverse'] as const
const BASE32 = /^[A-Z2-7]+=*$/

function base64url(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64url')
}

/** 16 bytes as the text of a UUID. */
function uuidOf(base64: string): string | undefined {
  const hex = Buffer.from(base64, 'base64').toString('hex')
  if (hex.length !== 32) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function passkeys({ authenticators }: UserState, { world }: Reading): readonly PasskeyDraft[] {
  const { primaryDomain } = world.instance.state
  return [...authenticators.living].flatMap(([id, { value, createdAt }]): PasskeyDraft[] => {
    const { credential, use, rpId = primaryDomain } = value
    if (credential === undefined) return []
    const aaguid = uuidOf(credential.aaguid)
    return [
      {
        id,
        name: credential.name,
        use,
        credentialId: base64url(credential.credentialId),
        publicKey: base64url(credential.publicKey),
        rpId,
        signCount: Math.max(credential.signCount, world.signCount(id)),
        ...(aaguid && { aaguid }),
        createdAt,
      },
    ]
  })
}

/** The secret of one-time passwords, in base32; anything else was opened with a wrong key. */
export function openTotpSecret(secret: CryptoValue, userId: string, keys: KeyRing): string {
  const where = `the one-time passwords of user ${userId}`
  const plain = keys.open(secret, where)
  if (!BASE32.test(plain)) throw wrongMasterKey(where)
  return plain
}

function profileOf({ profile, userName }: UserState): CarriedHuman['profile'] {
  const { firstName = '', lastName = '', nickName, displayName, preferredLanguage, gender = 0 } = profile
  const chosen = GENDERS[gender]
  return {
    firstName: firstName || userName,
    lastName: lastName || userName,
    ...(nickName && { nickName }),
    ...(displayName && { displayName }),
    ...(preferredLanguage && preferredLanguage !== 'und' && { preferredLanguage }),
    ...(chosen && { gender: chosen }),
  }
}

async function* humanDraft(
  { id, owner, state, createdAt, changedAt }: Folded<UserState>,
  reading: Reading,
): AsyncGenerator<Item> {
  const links = [...state.links.living.values()].map(({ value }) => value)
  const types = await Promise.all(links.map(({ providerId }) => reading.world.providerType(providerId)))
  const carried = links.filter((_, index) => CARRIED_TYPES.has(types[index] ?? ''))
  yield {
    kind: 'human',
    id,
    organizationId: owner,
    createdAt,
    changedAt,
    userName: state.userName,
    state: state.state,
    profile: profileOf(state),
    ...(state.email && { email: state.email }),
    ...(state.phone && { phone: state.phone }),
    ...(state.password && { password: state.password }),
    ...(state.totp?.isVerified && { totpSecret: openTotpSecret(state.totp.secret, id, reading.keys) }),
    ...(state.skippedAt && { setUpSkippedAt: state.skippedAt }),
    otpEmail: state.otpEmail,
    otpSms: state.otpSms,
    recoveryCodes: state.recoveryCodes.map((hash) => ({ hash })),
    passkeys: passkeys(state, reading),
    links: carried,
  }
  if (!state.profile.firstName || !state.profile.lastName) {
    yield remark('human', id, 'The first or last name is missing; it became the user name.')
  }
  if (state.hasAddress) yield remark('human', id, 'The postal address stays behind: users have none here.')
  if (state.state === 'initial' || state.isInvited) {
    yield remark('human', id, 'The code with which this account is set up stays behind: send a new invitation.')
  }
  for (const type of types) {
    if (type === undefined || CARRIED_TYPES.has(type)) continue
    yield remark('human', id, `A link to an identity provider stays behind, as do providers of the type ${type}.`)
  }
}

function* machineDraft({ id, owner, state, createdAt, changedAt }: Folded<UserState>): Generator<Item> {
  const { name = '', description = '', accessTokenType = 0 } = state.machine
  const { keys, remarks } = keyDrafts(state.keys, 'machine', id)
  const draft: MachineDraft = {
    kind: 'machine',
    id,
    organizationId: owner,
    createdAt,
    changedAt,
    userName: state.userName,
    state: state.state,
    name: name || state.userName,
    description,
    accessTokenType: accessTokenType === 1 ? 'jwt' : 'bearer',
    ...(state.secret && { secret: { hash: state.secret } }),
    keys,
    tokens: [...state.tokens.living].map(([tokenId, token]) => ({
      id: tokenId,
      createdAt: token.createdAt,
      expiresAt: token.value.expiresAt,
    })),
  }
  yield draft
  yield* remarks
}

export async function* userDrafts(reading: Reading, type: 'human' | 'machine'): AsyncGenerator<Item> {
  let scopedTokens = 0
  for await (const user of folded(reading, users)) {
    if (!(await reading.world.hasUser(user.id))) {
      yield removed({ kind: type, id: user.id })
    } else if (user.state.type === type) {
      yield* type === 'human' ? humanDraft(user, reading) : machineDraft(user)
      for (const { value } of user.state.tokens.living.values()) if (value.hasScopes) scopedTokens++
    }
  }
  if (scopedTokens === 0) return
  const reason = `The scopes of ${scopedTokens} personal access tokens stay behind: such tokens have none here.`
  yield remark('machine', '', reason)
}

/** The pictures of users. */
export async function* avatarDrafts(reading: Reading): AsyncGenerator<Item> {
  for await (const { id, owner, state, createdAt, changedAt } of folded(reading, avatars)) {
    if (!(await reading.world.hasUser(id))) continue
    if (state.storeKey === undefined) {
      yield removed({ kind: 'picture', id, of: 'user', objectId: id, organizationId: owner })
      continue
    }
    const file = await reading.log.file(owner, state.storeKey)
    if (file === undefined) yield remark('picture', id, 'The picture is not in the database: it may be in a bucket.')
    else yield { kind: 'picture', id, organizationId: owner, createdAt, changedAt, of: 'user', objectId: id, ...file }
  }
}
