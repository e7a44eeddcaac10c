/** The users of a realm: humans, and the machine users of service accounts. */
import { phoneNumber } from '../../../features/humans/index.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import type { CarriedHuman, MachineDraft } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { NO_EMAIL, noEmail, PAGES, type Read, remark } from '../read.ts'
import { type ClientCredentials, decisionsOf, isApplication } from './clients.ts'
import { type Credentials, credentialsOfUser, type RelyingParties } from './credentials.ts'
import type { RealmPlace } from './place.ts'
import type { ProvidersByAlias } from './providers.ts'
import { LINK, USER } from './user-members.ts'

/** What all users of a realm are read with. */
export interface UserContext {
  readonly place: RealmPlace
  readonly parties: RelyingParties
  readonly providers: ProvidersByAlias
  /** Whether nobody gets in before they have confirmed their address. */
  readonly verifiesEmail: boolean
  /** The users who do not get in because their organization is disabled. */
  readonly closed: ReadonlySet<string>
}

/** Attributes in which realms keep telephone numbers; the first is that of Keycloak's own scope `phone`. */
const PHONES = ['phoneNumber', 'phone_number', 'phone', 'mobile']

/** Attributes that have a place of their own here. */
const PLACED = new Set(['locale', 'nickname', 'phoneNumberVerified'])

export function createdAtOf(user: Members, { exportedAt }: RealmPlace): Instant {
  return instant(user.number('createdTimestamp') ?? exportedAt)
}

export function isServiceAccount(user: Members): boolean {
  return user.has('serviceAccountClientId')
}

function phoneOf(attributes: ReadonlyMap<string, readonly string[]>): CarriedHuman['phone'] {
  for (const name of PHONES) {
    const number = phoneNumber(attributes.get(name)?.[0] ?? '')
    const isVerified = name === 'phoneNumber' && attributes.get('phoneNumberVerified')?.[0] === 'true'
    if (number !== undefined) return { number, isVerified }
  }
  return undefined
}

function profileOf(user: Members, attributes: ReadonlyMap<string, readonly string[]>): CarriedHuman['profile'] {
  const first = (name: string) => attributes.get(name)?.[0] || undefined
  const [firstName, lastName] = [user.maybeText('firstName') || undefined, user.maybeText('lastName') || undefined]
  const [nickName, preferredLanguage] = [first('nickname'), first('locale')]
  const name = user.text('username')
  return {
    firstName: firstName ?? lastName ?? name,
    lastName: lastName ?? firstName ?? name,
    ...(nickName !== undefined && { nickName }),
    ...(preferredLanguage !== undefined && { preferredLanguage }),
  }
}

function passwordOf({ password }: Credentials, actions: readonly string[]): CarriedHuman['password'] {
  return password && { ...password, changeRequired: actions.includes('UPDATE_PASSWORD') }
}

function linksOf(user: Members, providers: ProvidersByAlias, left: string[]): CarriedHuman['links'] {
  return user.list('federatedIdentities').flatMap((link) => {
    const alias = link.text('identityProvider')
    const [because] = decide(link, LINK).closed
    const provider =
      because === undefined ? (providers.get(alias) ?? { because: 'the provider is not carried' }) : { because }
    if ('because' in provider) {
      left.push(`The link with “${alias}” stays behind: ${provider.because.replace(/\.$/, '')}.`)
      return []
    }
    return [{ providerId: provider.id, userId: link.text('userId'), userName: link.maybeText('userName') ?? '' }]
  })
}

/** What a user has in Keycloak and not here. */
function* leftOf(user: Members, actions: readonly string[]): Generator<string> {
  const asked = actions.filter((action) => action !== 'UPDATE_PASSWORD' && action !== 'VERIFY_EMAIL')
  if (asked.length > 0) yield `The required actions ${asked.join(', ')} stay behind.`
  if (!user.maybeText('firstName') || !user.maybeText('lastName'))
    yield 'The first or last name is missing: the other name or the username stands for it.'
  if (!user.maybeText('email')) yield NO_EMAIL
  if (user.list('clientConsents').length > 0) yield 'Consents stay behind: applications ask again.'
  if ((user.number('notBefore') ?? 0) > 0)
    yield '“notBefore” stays behind: with --old-keys, tokens from before it are accepted by APIs that only look at the signature.'
  if (user.maybeText('federationLink')) yield 'The password is in another directory: the user resets it.'
}

const UNCONFIRMED =
  'Keycloak lets the user in when they have confirmed their email address. Nobody is asked for that at a sign-in here, so the user resets their password by mail instead; what they signed in with stays behind.'

/** Whether Keycloak stops a user until they have read a mail. */
function mustConfirm(user: Members, { verifiesEmail }: UserContext): boolean {
  if (user.flag('emailVerified')) return false
  return (
    user.texts('requiredActions').includes('VERIFY_EMAIL') || (verifiesEmail && user.maybeText('email') !== undefined)
  )
}

const NOTHING: Credentials = { recoveryCodes: [], passkeys: [], losesSecondFactor: false, left: [] }

/** A human user, and remarks. */
export function* humanOf(user: Members, context: UserContext): Generator<Read> {
  const { place, parties, providers } = context
  const id = user.text('id')
  const attributes = user.textsByName('attributes')
  const actions = user.texts('requiredActions')
  const createdAt = createdAtOf(user, place)
  const isUnconfirmed = mustConfirm(user, context)
  const credentials = isUnconfirmed ? NOTHING : credentialsOfUser(user, parties, createdAt)
  const decision = decide(user, USER)
  const left = [...credentials.left, ...leftOf(user, actions), ...decision.closed, ...decision.left]
  const links = isUnconfirmed ? [] : linksOf(user, providers, left)
  if (isUnconfirmed) left.push(UNCONFIRMED)
  const isClosed = context.closed.has(user.text('username'))
  if (isClosed) left.push('The user belongs to an organization that is disabled, and does not get in.')
  const email = user.maybeText('email') || undefined
  // Whoever knows the password must not get in with that alone: a code by mail, or a new password by mail, comes first.
  const { losesSecondFactor } = credentials
  const getsCodes = losesSecondFactor && email !== undefined && user.flag('emailVerified')
  const keepsPassword = !losesSecondFactor || getsCodes
  const [phone, password] = [phoneOf(attributes), keepsPassword ? passwordOf(credentials, actions) : undefined]
  if (credentials.password !== undefined && losesSecondFactor)
    left.push(
      getsCodes
        ? 'After the password the user enters a code that is mailed to them, until they set up another second factor.'
        : 'The password stays behind, because it would be enough without the second factor, and no verified address can get codes.',
    )
  const canSignIn = password !== undefined || credentials.passkeys.length > 0 || links.length > 0
  const draft: CarriedHuman = {
    kind: 'human',
    id,
    organizationId: place.realmId,
    createdAt,
    changedAt: createdAt,
    userName: user.text('username'),
    state: user.flag('enabled', true) && !isClosed ? (canSignIn ? 'active' : 'initial') : 'inactive',
    profile: profileOf(user, attributes),
    email: email === undefined ? noEmail(id) : { address: email, isVerified: user.flag('emailVerified') },
    ...(phone !== undefined && { phone }),
    ...(password !== undefined && { password }),
    ...(credentials.totpSecret !== undefined && { totpSecret: credentials.totpSecret }),
    otpEmail: getsCodes,
    otpSms: false,
    recoveryCodes: credentials.recoveryCodes,
    passkeys: credentials.passkeys,
    links,
  }
  yield draft
  if (!canSignIn && !isUnconfirmed)
    left.push('The user has nothing to sign in with: they get in by a password reset or an invitation.')
  for (const reason of left) yield remark('user', draft.userName, reason)
}

/** An attribute as metadata, in base64: one value as it is, several as a list in JSON. Undefined when it is empty. */
export function metadataValue(values: readonly string[]): string | undefined {
  const [only = ''] = values
  const text = values.length === 1 ? only : JSON.stringify(values)
  return text === '' || text === '[]' ? undefined : Buffer.from(text).toString('base64')
}

/** The attributes of a user that become metadata. */
export function* metadataOf(user: Members, place: RealmPlace): Generator<Read> {
  const userId = user.text('id')
  const createdAt = createdAtOf(user, place)
  for (const [key, values] of user.textsByName('attributes')) {
    const value = metadataValue(values)
    if (PLACED.has(key) || value === undefined) continue
    const id = `${userId} ${key}`
    const organizationId = place.realmId
    yield {
      kind: 'metadata',
      id,
      organizationId,
      createdAt,
      changedAt: createdAt,
      of: 'user',
      objectId: userId,
      key,
      value,
    }
  }
}

/**
 * The machine user of a client. It is called like the client, so that the client continues with its ID and secret; where
 * the client is an application too, that has the name already.
 */
export function* machineOf(
  client: Members,
  user: { readonly id: string; readonly isActive: boolean; readonly createdAt: Instant },
  { credentials, closed }: { readonly credentials: ClientCredentials; readonly closed: readonly string[] },
  place: RealmPlace,
): Generator<Read> {
  const clientId = client.text('clientId')
  const isBoth = isApplication(client)
  const draft: MachineDraft = {
    kind: 'machine',
    id: user.id,
    organizationId: place.realmId,
    createdAt: user.createdAt,
    changedAt: user.createdAt,
    userName: isBoth ? `service-account-${clientId}` : clientId,
    state: user.isActive && client.flag('enabled', true) && closed.length === 0 ? 'active' : 'inactive',
    name: (client.maybeText('name') || clientId).slice(0, 200),
    description: (client.maybeText('description') ?? '').slice(0, 500),
    accessTokenType: 'jwt',
    ...(credentials.secret !== undefined && { secret: credentials.secret }),
    // An application and a user cannot have one key.
    keys: isBoth ? [] : credentials.keys,
    tokens: [],
  }
  yield draft
  yield* decisionsOf({ kind: 'machine', id: clientId, page: PAGES.user(user.id) }, closed, credentials)
  if (draft.keys.length > 0)
    yield remark(
      'machine',
      clientId,
      `Its assertions must be signed with RS256, name the user ID ${draft.id} as iss and sub, and be sent with the grant jwt-bearer.`,
    )
  if (isBoth)
    yield remark(
      'machine',
      clientId,
      `The application signs users in under “${clientId}”; for its own tokens it uses the client ID “${draft.userName}” with ${draft.secret === undefined ? 'a secret or key of its own' : 'the same secret'}.`,
    )
}
