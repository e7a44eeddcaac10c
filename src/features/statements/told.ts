/**
 * What listeners are told about people: the one source of tokens, userinfo, introspection, SAML responses and assertions.
 * At home, where all projects that listen belong to the user's organization, what the organization says is true. Elsewhere
 * only proof counts: otherwise whoever adds users in one organization could make one who is somebody else in another.
 */
import { createHash } from 'node:crypto'
import type { AssetReference } from '../../kernel/asset-reference.ts'
import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { groupsOfUser } from '../groups/index.ts'
import { metadataWithin } from '../metadata/index.ts'
import { findOrganization, primaryDomain } from '../organizations/index.ts'
import { findProject, findProjectGrant, type LivingProject } from '../projects/index.ts'
import { isOnlyOwnName, type LivingUser, shownName, users } from '../users/index.ts'
import { isProvenAddress, readsAsAddress, type Speaker } from './proof.ts'

/** Who listens. */
export interface Listener {
  /** The projects, by their IDs; none: somebody outside of all organizations. */
  readonly projectIds: readonly string[]
  /** Nobody but the user, who shows it to anybody. */
  readonly isSelf?: boolean
}

/** What is known about a person. Texts that are not known are empty. */
interface Person {
  readonly id: string
  readonly userName: string
  readonly displayName: string
  readonly firstName: string
  readonly lastName: string
  readonly nickName: string
  readonly gender: string
  readonly language: string
  readonly avatar: AssetReference | undefined
  readonly email: string
  readonly isEmailVerified: boolean
  readonly phone: string
  readonly isPhoneVerified: boolean
}

/**
 * Who says a member of a person. `id`, `name`: what listeners call the person by; `text`: what the organization says;
 * `open`: makes nobody somebody else; `proof`: whether something was proven.
 */
const SPEAKERS: { readonly [Member in keyof Person]: 'id' | 'name' | 'text' | 'open' | 'proof' } = {
  id: 'id',
  userName: 'name',
  displayName: 'text',
  firstName: 'text',
  lastName: 'text',
  nickName: 'text',
  gender: 'open',
  language: 'open',
  avatar: 'open',
  // An address that nobody has verified, unless `isEmailVerified` is told too.
  email: 'open',
  isEmailVerified: 'proof',
  phone: 'open',
  isPhoneVerified: 'proof',
}

/** What a listener is told. */
export interface Told extends Person {
  /** The address, if the listener may take it as the person's own. */
  readonly verifiedEmail: string
  /** The groups that the user is in, in the order of their names. */
  groups(): Promise<readonly { readonly id: string; readonly name: string }[]>
  /** The metadata within a number of characters. */
  metadata(most: number): ReturnType<typeof metadataWithin>
}

const NO_METADATA = { kept: [], isCut: false } as const
const OPAQUE = 'user-'
/** An ID that we made: no name that somebody has elsewhere. */
const MADE = /^[0-9]{18,}$/

/** A name that nobody can choose: what begins like one is replaced by one. */
function opaqueName({ instanceId }: App, userId: string): string {
  return `${OPAQUE}${createHash('sha256').update(`${instanceId}\n${userId}`).digest('base64url')}`
}

function personOf({ id, state: user }: Document<LivingUser>): Person {
  const { userName } = user
  const person = user.type === 'human' ? user : undefined
  const { firstName = '', lastName = '', nickName = '', gender = 'unspecified' } = person?.profile ?? {}
  return {
    id,
    userName,
    displayName: shownName(user),
    firstName,
    lastName,
    nickName,
    gender: gender === 'unspecified' ? '' : gender,
    language: person?.profile.preferredLanguage ?? '',
    avatar: person?.avatar,
    email: person?.email.address ?? '',
    isEmailVerified: person?.email.isVerified ?? false,
    phone: person?.phone?.number ?? '',
    isPhoneVerified: person?.phone?.isVerified ?? false,
  }
}

/** What is told elsewhere instead of a name that could mean somebody else. */
function otherName(app: App, { user, organization }: Speaker, id: string): string {
  const full = `${user.userName}@${organization === undefined ? '' : primaryDomain(organization)}`
  if (user.nameScope !== undefined && isProvenAddress(app, { user, organization }, full)) return full
  return MADE.test(id) ? id : opaqueName(app, id)
}

/** A member of a person, as it is told elsewhere. */
function toldElsewhere(app: App, speaker: Speaker, person: Person, isOnlyName: boolean, member: keyof Person) {
  const { id, [member]: value } = person
  const { user } = speaker
  const isProven = (text: string) => !readsAsAddress(text) || isProvenAddress(app, speaker, text)
  switch (SPEAKERS[member]) {
    case 'open':
      return value
    case 'id':
      return isProven(id) && !id.startsWith(OPAQUE) ? id : opaqueName(app, id)
    case 'name':
      return isOnlyName && isProven(user.userName) && !user.userName.startsWith(OPAQUE)
        ? value
        : otherName(app, speaker, id)
    case 'text':
      return isProven(String(value)) ? value : ''
    case 'proof':
      if (member === 'isEmailVerified') return value === true && isProvenAddress(app, speaker, person.email)
      return value === true && user.type === 'human' && user.phone?.isProven === true
  }
}

async function elsewhere(app: App, user: Document<LivingUser>, foreign: readonly Document<LivingProject>[]) {
  const owners = [...new Set(foreign.map(({ owner }) => owner))]
  const [organization, isOnlyName] = await Promise.all([
    findOrganization(app.store, user.owner),
    isOnlyOwnName(app, user, owners),
  ])
  const speaker = { user: user.state, organization: organization?.state }
  const person = personOf(user)
  const members = Object.keys(SPEAKERS) as (keyof Person)[]
  const told = Object.fromEntries(
    members.map((member) => [member, toldElsewhere(app, speaker, person, isOnlyName, member)]),
  ) as unknown as Person
  return { ...told, displayName: told.displayName || told.userName }
}

/** The projects that listen and belong to another organization; undefined: others listen, too. */
async function foreignProjects(app: App, owner: string, { projectIds }: Listener) {
  const ids = [...new Set(projectIds)].filter((id) => id !== '')
  const found = await Promise.all(ids.map((id) => findProject(app, id)))
  const known = found.filter((project) => project !== undefined)
  return known.length === 0 || known.length < found.length ? undefined : known.filter((one) => one.owner !== owner)
}

/** Whether an organization was granted all of these projects: their owners chose it. */
async function isGrantedAll(app: App, organizationId: string, foreign: readonly Document<LivingProject>[]) {
  const granted = await Promise.all(foreign.map(({ id }) => findProjectGrant(app, id, organizationId)))
  return granted.every((grant) => grant?.state.status === 'active')
}

/** What a listener is told about a user. */
export async function toldTo(app: App, user: Document<LivingUser>, listener: Listener): Promise<Told> {
  const foreign = await foreignProjects(app, user.owner, listener)
  const isHome = foreign?.length === 0
  const person = isHome ? personOf(user) : await elsewhere(app, user, foreign ?? [])
  const hearsMetadata = async () =>
    isHome || listener.isSelf || (foreign !== undefined && (await isGrantedAll(app, user.owner, foreign)))
  return {
    ...person,
    verifiedEmail: person.isEmailVerified ? person.email : '',
    async groups() {
      if (!isHome && !listener.isSelf) return []
      return (await groupsOfUser(app, user.id)).map(({ id, state }) => ({ id, name: state.name }))
    },
    metadata: async (most) => ((await hearsMetadata()) ? metadataWithin(app, user.id, most) : NO_METADATA),
  }
}

/** What a listener calls a user by: `sub`. */
export async function subjectFor(app: App, userId: string, listener: Listener): Promise<string> {
  if (!readsAsAddress(userId) && !userId.startsWith(OPAQUE)) return userId
  const user = (await app.store.get(users, userId)) as Document<LivingUser> | undefined
  return user === undefined ? opaqueName(app, userId) : (await toldTo(app, user, listener)).id
}
