/** How human users are carried, with everything that they sign in with; their links are carried by themselves, too. */
import type { AssetReference } from '../../kernel/asset-reference.ts'
import type { Instant } from '../../kernel/instant.ts'
import { type BodyOf, type Draft, declare, nothingElse, type Opened, putParts } from '../../module/carried.ts'
import type { Dates } from '../../store/index.ts'
import { requireAsset } from '../assets/index.ts'
import { assertIdentityLink, followLinks, identityLinkId, identityLinks } from '../identity-links/index.ts'
import { identityProviders } from '../identity-providers/index.ts'
import { type CarriedFactors, describeFactors, oneTimeCodes, putFactors } from '../one-time-codes/index.ts'
import { type PasskeyDraft, passkeys, putKey } from '../passkeys/index.ts'
import { type CarriedPassword, describePassword, passwords, putPassword } from '../passwords/index.ts'
import {
  type Email,
  type HumanUser,
  isLiving,
  noteDeletion,
  type Phone,
  type Profile,
  putInState,
  removeUserIn,
  requireUser,
  type User,
  users,
} from '../users/index.ts'
import { addHuman, prepareHuman } from './handlers/add-human.ts'
import { followHuman } from './handlers/change-human.ts'

type Names = Pick<Profile, 'firstName' | 'lastName'>

export interface CarriedHuman extends Draft<'human'>, CarriedFactors {
  readonly userName: string
  readonly nameSince?: Instant | undefined
  readonly state: HumanUser['status']
  readonly needsSetUp?: boolean | undefined
  readonly profile: Names & Partial<Omit<Profile, 'gender'>> & { readonly gender?: 'female' | 'male' | 'diverse' }
  readonly email?: Pick<Email, 'address' | 'isVerified'> | undefined
  /** What connects the user with the email address, and since when. */
  readonly emailKnown?: Omit<Email, 'address' | 'isVerified'> | undefined
  readonly phone?: Phone | undefined
  readonly invitation?: HumanUser['invitation']
  readonly deletion?: HumanUser['deletion']
  readonly avatar?: AssetReference | undefined
  /** When the user last chose not to set up a second factor. */
  readonly setUpSkippedAt?: Instant | undefined
  readonly password?: CarriedPassword | undefined
  readonly passwordDates?: Dates | undefined
  /** Of another product; an export has lines for passkeys and links. */
  readonly passkeys: readonly PasskeyDraft[]
  readonly links: readonly { readonly providerId: string; readonly userId: string; readonly userName: string }[]
}

async function describe(state: HumanUser, { beside }: Opened): Promise<BodyOf<CarriedHuman>> {
  const { type: _, nameScope: __, search: ___, managedBy: ____, status, ...human } = state
  const { userName, nameSince, needsSetUp, profile, email, phone, invitation, deletion, avatar, ...others } = human
  const { mfaInitSkippedAt: setUpSkippedAt, ...rest } = others
  nothingElse(rest)
  const { gender, ...names } = profile
  const { address, isVerified, ...emailKnown } = email
  return {
    ...{ userName, nameSince, needsSetUp, emailKnown, phone, invitation, deletion, avatar, setUpSkippedAt },
    state: status,
    profile: { ...names, ...(gender !== 'unspecified' && { gender }) },
    email: { address, isVerified },
    ...describePassword(await beside(passwords)),
    ...describeFactors(await beside(oneTimeCodes)),
    passkeys: [],
    links: [],
  }
}

const FIELDS = { prefix: '', outer: '', userName: 'userName' } as const

const known = (isVerified = false) => ({ type: 'known', isVerified }) as const

export const carriedHumans = declare(users, {
  as: 'human',
  after: ['project-grant'],
  secrets: { password: 'optional', totpSecret: 'optional', recovery: 'optional' },
  lives: (state: User): state is HumanUser => isLiving(state) && state.type === 'human',
  describe,
  async put(arriving, before) {
    const { app, work, id: userId, organizationId, owner, draft, restores, without, leave, part } = arriving
    const { userName, nameSince, state, needsSetUp = state === 'initial', email, emailKnown, phone, ...others } = draft
    const { password, passwordDates, totpSecret, totpStep, otpEmail, otpSms, recoveryCodes, recovery, ...more } = others
    const { factorDates, passkeys: keys, links, setUpSkippedAt, invitation, deletion, avatar, profile, ...rest } = more
    nothingElse(rest)
    const names = { nickName: '', displayName: '', preferredLanguage: '', gender: 'unspecified', ...profile } as const
    const accounts = links.map(({ providerId: idpId, userId: externalUserId, userName: externalUserName }) => {
      return { idpId, externalUserId, externalUserName }
    })
    const add = async () => {
      if (without.has('links') && links.length > 0) {
        leave('Its links to identity providers were not carried: a provider is missing here, or another user has one.')
      }
      if (without.has('passkeys') && keys.length > 0) {
        leave('Its passkeys were not carried: another user here has one of them.')
      }
      const given = {
        ...{ userId, userName, nameSince, needsSetUp, totpSecret, totpStep, profile: names },
        email: { address: email?.address ?? '', verification: known(email?.isVerified), known: emailKnown ?? {} },
        ...(phone && { phone: { text: phone.number, verification: known(phone.isVerified) } }),
        links: without.has('links') ? [] : accounts,
        linkSpeaker: 'instance',
      } as const
      await addHuman(app, work, await prepareHuman(app, organizationId, given, FIELDS))
    }
    const follow = () =>
      followHuman(app, work, userId, {
        userName: userName.trim(),
        profile: names,
        ...(email && { email: { address: email.address, verification: known(email.isVerified) } }),
        phone: { text: phone?.number ?? '', verification: known(phone?.isVerified) },
      })
    await putInState(arriving, state, before, async () => {
      const isNew = before === undefined
      await (isNew ? add() : follow())
      await putPassword(arriving, password, { dates: passwordDates, isNew })
      const factors = { totpSecret, totpStep, otpEmail, otpSms, recoveryCodes, recovery, factorDates }
      await putFactors(arriving, factors, isNew)
      const holder = before && { field: 'userId', equals: userId }
      await putParts(arriving, passkeys, holder, without.has('passkeys') ? [] : keys, {
        name: 'The passkey',
        add: ({ createdAt: _, ...key }) => putKey(arriving, `The passkey ${key.id}`, { ...key, userId, owner }),
      })
      if (!isNew) {
        if (restores) return
        await part('Its links to identity providers', () =>
          followLinks(app, work, { userId, organizationId }, accounts),
        )
        return
      }
      if (setUpSkippedAt !== undefined) await work.decide(users, userId, { type: 'skip_mfa_init', at: setUpSkippedAt })
      if (invitation !== undefined) await work.decide(users, userId, { type: 'invite', invitation })
      if (avatar !== undefined) {
        await requireAsset(work, avatar)
        await work.decide(users, userId, { type: 'set_avatar', asset: avatar })
      }
      if (deletion !== undefined) await noteDeletion(work, userId, deletion, { isOwed: true })
    })
  },
  spare(code) {
    if (code.startsWith('identity_link.') || code === 'user.identity_provider_not_found') return 'links'
    return code.startsWith('passkey.') ? 'passkeys' : undefined
  },
  remove: ({ app, work, id }) => removeUserIn(app, work, id),
})

const accountsVersionOf = (provider: object) =>
  'accountsVersion' in provider ? (provider.accountsVersion as number) : undefined

export const carriedLinks = declare(identityLinks, {
  as: 'identity-link',
  after: ['passkey'],
  lives: ['linked', 'proposed'],
  async describe(state, { all }) {
    // Accounts that a provider had before it became another server: these links are about to be removed.
    const current = (await all(identityProviders, accountsVersionOf)).get(state.idpId) ?? 0
    if (state.accountsVersion !== current) return undefined
    const isProposal = state.status === 'proposed'
    const { userId, externalUserId, externalUserName } = isProposal ? state.proposal : state
    const link = { userId, providerId: state.idpId, externalUserId, externalUserName }
    return { ...link, isProposal: isProposal || undefined }
  },
  idOf: (_, { userId, providerId: idpId, externalUserId }) => identityLinkId({ userId, idpId, externalUserId }),
  has: ({ status }, { isProposal = false }) => status === 'linked' || isProposal,
  async put({ app, work, draft }, before) {
    const { userId, providerId: idpId, externalUserId, externalUserName, isProposal = false, ...rest } = draft
    nothingElse(rest)
    if (before !== undefined) return
    const link = { userId, idpId, externalUserId, externalUserName }
    const speaker = isProposal ? 'organization' : 'instance'
    await assertIdentityLink(app, work, link, await requireUser(work, userId), speaker)
  },
  remove: 'with its holder',
})
