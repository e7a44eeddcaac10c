/** The users of a tenant, from the export job, the file of hashes, or a file that could be imported into Auth0. */
import { phoneNumber } from '../../../features/humans/index.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { derivedId } from '../derived-id.ts'
import type { CarriedHuman } from '../draft.ts'
import type { Members } from '../json/members.ts'
import { decide } from '../members/table.ts'
import { NO_EMAIL, noEmail, type Read, remark } from '../read.ts'
import { DATABASE, type KnownConnections } from './connections.ts'
import { type FoundPassword, passwordOf } from './passwords.ts'
import type { TenantPlace } from './place.ts'
import { USER } from './user-members.ts'

/** What comes from other files. */
export interface JoinedFiles {
  readonly hashes: ReadonlyMap<string, string>
  readonly totpSecrets: ReadonlyMap<string, string>
  readonly connections: KnownConnections
}

/** The ID of a record of the database: `{"$oid": "…"}` or a text. */
function databaseId(record: Members): string | undefined {
  const name = ['_id', '_ID'].find((one) => record.has(one))
  if (name === undefined) return undefined
  const id = typeof record.raw(name) === 'string' ? record.text(name) : record.inner(name).text('$oid')
  return record.maybeText('alt_id') ?? id
}

/** The ID of a user, which is the `sub` of their tokens; undefined where a record has none. */
export function userIdOf(record: Members): string | undefined {
  const id = record.maybeText('user_id') ?? databaseId(record)
  if (id === undefined || id === '') return undefined
  return id.includes('|') ? id : `${DATABASE}|${id}`
}

function timeOf(user: Members, name: string): Instant | undefined {
  const value = user.raw(name)
  if (value === undefined) return undefined
  const text = typeof value === 'object' ? user.inner(name).raw('$date') : value
  const time = typeof text === 'number' ? text : Date.parse(String(text))
  if (!Number.isFinite(time)) throw user.wrong(name, 'a date')
  return instant(time)
}

interface Names {
  readonly firstName: string
  readonly lastName: string
  readonly isGuessed: boolean
}

function namesOf(user: Members, userName: string): Names {
  const [first, last] = [user.maybeText('given_name') || undefined, user.maybeText('family_name') || undefined]
  if (first !== undefined && last !== undefined) return { firstName: first, lastName: last, isGuessed: false }
  const name = user.maybeText('name') ?? ''
  const [, before, after] = /^(\S+)\s+(.+)$/.exec(name.includes('@') ? '' : name) ?? []
  const short = user.maybeText('nickname') || userName.replace(/@.*$/, '')
  const firstName = first ?? before ?? last ?? short
  return { firstName, lastName: last ?? after ?? firstName, isGuessed: true }
}

interface Factors {
  readonly totpSecret?: string
  readonly otpEmail: boolean
  readonly otpSms: boolean
}

function factorsOf(user: Members, secret: string | undefined, left: string[]): Factors {
  let totpSecret = secret
  let [otpEmail, otpSms] = [false, false]
  for (const factor of user.list('mfa_factors')) {
    if (factor.has('totp')) totpSecret ??= factor.inner('totp').text('secret')
    else if (factor.has('email')) otpEmail = true
    else if (factor.has('phone')) otpSms = true
    else left.push(`The second factor ${factor.names().join(', ')} stays behind.`)
  }
  if (user.list('multifactor_enrollments').length > 0 || user.texts('multifactor').length > 0)
    if (totpSecret === undefined) left.push('Second factors are not part of the file: the user sets one up again.')
  return { otpEmail, otpSms, ...(totpSecret !== undefined && { totpSecret }) }
}

function linksOf(user: Members, joined: JoinedFiles, left: string[]): CarriedHuman['links'] {
  return user.list('identities').flatMap((identity) => {
    if (identity.text('provider') === DATABASE) return []
    const connection = identity.maybeText('connection') ?? identity.text('provider')
    const providerId = joined.connections.providers.get(connection)
    const value = identity.raw('user_id')
    if (typeof value !== 'string' && typeof value !== 'number') throw identity.wrong('user_id', 'a text or a number')
    if (providerId === undefined) {
      left.push(
        `The link with “${connection}” stays behind: pass --connections with this connection, and see what the report says of it.`,
      )
      return []
    }
    return [{ providerId, userId: String(value), userName: user.maybeText('email') ?? String(value) }]
  })
}

/** The password, unless nobody can sign in with the database that it is of. */
function usablePassword(user: Members, joined: JoinedFiles, id: string): FoundPassword {
  const found = passwordOf(user, joined.hashes, id)
  const own = user.list('identities').find((identity) => identity.maybeText('provider') === DATABASE)
  const database = own?.maybeText('connection') ?? user.maybeText('connection')
  if (found === undefined || database === undefined || !joined.connections.closedDatabases.has(database)) return found
  return { left: `The password stays behind: nobody can sign in with the database “${database}”.` }
}

function passwordDraft(user: Members, found: FoundPassword, createdAt: Instant): CarriedHuman['password'] {
  if (found === undefined || 'left' in found) return undefined
  const changedAt = timeOf(user, 'last_password_reset') ?? timeOf(user, 'password_set_date') ?? createdAt
  return { hash: found.hash, changeRequired: false, changedAt }
}

/** A user, and remarks. */
export function* humanOf(user: Members, place: TenantPlace, joined: JoinedFiles): Generator<Read> {
  const left: string[] = []
  const email = user.maybeText('email') || undefined
  const number = phoneNumber(user.maybeText('phone_number') ?? '')
  const known = userIdOf(user)
  const userName = user.maybeText('username') || email || number || known
  if (userName === undefined) throw user.wrong('user_id', 'there, or email, or username')
  const id = known ?? derivedId('auth0 user', userName)
  const createdAt = timeOf(user, 'created_at') ?? place.exportedAt
  const { firstName, lastName, isGuessed } = namesOf(user, userName)
  const nickName = user.maybeText('nickname') || undefined
  const preferredLanguage = user.maybeText('locale') || undefined
  const found = usablePassword(user, joined, id)
  const [password, links] = [passwordDraft(user, found, createdAt), linksOf(user, joined, left)]
  const factors = factorsOf(user, joined.totpSecrets.get(id), left)
  const canSignIn = password !== undefined || links.length > 0
  yield {
    kind: 'human',
    id,
    organizationId: place.organizationId,
    createdAt,
    changedAt: timeOf(user, 'updated_at') ?? createdAt,
    userName,
    state: user.flag('blocked') ? 'inactive' : canSignIn ? 'active' : 'initial',
    profile: {
      firstName,
      lastName,
      ...(nickName !== undefined && { nickName }),
      ...(preferredLanguage !== undefined && { preferredLanguage }),
    },
    email: email === undefined ? noEmail(id) : { address: email, isVerified: user.flag('email_verified') },
    ...(number !== undefined && { phone: { number, isVerified: user.flag('phone_verified') } }),
    ...(password !== undefined && { password }),
    ...factors,
    recoveryCodes: [],
    passkeys: [],
    links,
  }
  if (known === undefined) left.push('The record has no ID: the user gets a new one, and “sub” changes.')
  if (isGuessed) left.push('The first or last name is missing: it is made of the other names.')
  if (email === undefined) left.push(NO_EMAIL)
  if (found !== undefined && 'left' in found) left.push(found.left)
  if (!canSignIn) left.push('The user has nothing to sign in with: they get in by a password reset or an invitation.')
  const decision = decide(user, USER)
  for (const reason of [...left, ...decision.closed, ...decision.left]) yield remark('user', id, reason)
}

/** What has no place of its own becomes metadata. */
const KEPT = ['user_metadata', 'app_metadata', 'picture']

export function* metadataOf(user: Members, place: TenantPlace): Generator<Read> {
  const objectId = userIdOf(user) ?? derivedId('auth0 user', user.maybeText('username') || user.text('email'))
  const createdAt = timeOf(user, 'created_at') ?? place.exportedAt
  for (const key of KEPT) {
    const value = user.raw(key)
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text === undefined || text === '' || text === '{}') continue
    const organizationId = place.organizationId
    const dates = { createdAt, changedAt: createdAt }
    const bytes = Buffer.from(text).toString('base64')
    yield {
      kind: 'metadata',
      id: `${objectId} ${key}`,
      organizationId,
      ...dates,
      of: 'user',
      objectId,
      key,
      value: bytes,
    }
  }
}
