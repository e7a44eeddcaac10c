/** What targets of functions learn about a user: members, order and empty values as the peer writes them. */

import type { App } from '../../module/app.ts'
import type { Document } from '../../store/index.ts'
import { type LivingAuthorization, usableAuthorizations } from '../authorizations/index.ts'
import type { ActorClaim } from '../grants/index.ts'
import { listMetadata } from '../metadata/index.ts'
import { type LivingOrganization, organizations, primaryDomain } from '../organizations/index.ts'
import { passwordFacts } from '../passwords/index.ts'
import { findProject } from '../projects/index.ts'
import { genders, type HumanUser, type LivingUser } from '../users/index.ts'
import { goTime, withoutEmpty } from './go-json.ts'

type Members = Readonly<Record<string, unknown>>

const MOST_ENTRIES = 1000

const STATES = { active: 1, inactive: 2, locked: 4, initial: 6 } as const
const ACTIVE = 1
const TYPES = { human: 1, machine: 2 } as const

function humanMembers(user: HumanUser, password: { changeRequired: boolean; changedAt: number } | undefined): Members {
  const { profile, email, phone } = user
  return {
    ...withoutEmpty({
      first_name: profile.firstName,
      last_name: profile.lastName,
      nick_name: profile.nickName,
      display_name: profile.displayName,
      avatar_key: user.avatar === undefined ? '' : user.avatar.id,
    }),
    preferred_language: profile.preferredLanguage || 'und',
    ...withoutEmpty({
      gender: genders.show(profile.gender),
      email: email.address,
      is_email_verified: email.isVerified,
      phone: phone?.number,
      is_phone_verified: phone?.isVerified,
      password_change_required: password?.changeRequired,
    }),
    password_changed: goTime(password?.changedAt),
    mfa_init_skipped: goTime(user.mfaInitSkippedAt),
  }
}

/** `isForSaml`: there, the peer says a little more about users. */
async function userMembers(app: App, document: Document<LivingUser>, isForSaml = false): Promise<Members> {
  const { id, owner, state, sequence, createdAt, changedAt } = document
  const common = withoutEmpty({
    id,
    creation_date: goTime(createdAt),
    change_date: goTime(changedAt),
    resource_owner: owner,
    sequence,
    state: STATES[state.status],
    type: isForSaml ? TYPES[state.type] : undefined,
    username: state.userName,
    login_names: isForSaml ? [state.userName] : undefined,
    preferred_login_name: state.userName,
  })
  if (state.type === 'machine') {
    return { ...common, machine: withoutEmpty({ name: state.name, description: state.description }) }
  }
  const facts = (await passwordFacts(app, [id])).get(id)
  return { ...common, human: humanMembers(state, facts) }
}

async function metadataMembers(app: App, userId: string): Promise<readonly Members[]> {
  const where = { field: 'userId', equals: userId } as const
  const { documents } = await listMetadata(app, { where, orderBy: 'id', limit: MOST_ENTRIES })
  return documents.map(({ createdAt, changedAt, owner, sequence, state }) => ({
    creation_date: goTime(createdAt),
    change_date: goTime(changedAt),
    resource_owner: owner,
    sequence,
    key: state.key,
    value: state.value,
  }))
}

async function organizationOf(app: App, id: string): Promise<Document<LivingOrganization> | undefined> {
  return (await app.store.get(organizations, id)) as Document<LivingOrganization> | undefined
}

function personMembers({ state }: Document<LivingUser>): Members {
  const human = state.type === 'human' ? state : undefined
  return {
    first_name: human?.profile.firstName,
    last_name: human?.profile.lastName,
    email: human?.email.address,
    display_name: human?.profile.displayName,
    preferred_login_name: state.userName,
  }
}

async function grantMembers(
  app: App,
  user: Document<LivingUser>,
  authorization: Document<LivingAuthorization>,
  isForSaml = false,
): Promise<Members> {
  const { id, createdAt, changedAt, sequence, owner, state } = authorization
  const organization = await organizationOf(app, state.organizationId)
  const project = await findProject(app, state.projectId)
  const granted = isForSaml && state.grantId !== '' ? organization : undefined
  return withoutEmpty({
    id,
    creation_date: goTime(createdAt),
    change_date: goTime(changedAt),
    sequence,
    roles: state.roleKeys,
    grant_id: state.grantId,
    state: ACTIVE,
    // Also of one that all users of a group have.
    user_id: user.id,
    username: isForSaml ? user.state.userName : undefined,
    user_type: isForSaml ? TYPES[user.state.type] : undefined,
    user_resource_owner: user.owner,
    ...(isForSaml && personMembers(user)),
    resource_owner: owner,
    org_name: organization?.state.name,
    org_primary_domain: organization && primaryDomain(organization.state),
    project_id: state.projectId,
    project_resource_owner: isForSaml ? project?.owner : undefined,
    project_name: project?.state.name,
    granted_org_id: granted?.id,
    granted_org_name: granted?.state.name,
    granted_org_domain: granted && primaryDomain(granted.state),
  })
}

function actorMembers({ sub, iss, act }: ActorClaim): Members {
  return { ...(act !== undefined && { actor: actorMembers(act) }), user_id: sub, issuer: iss }
}

export interface FunctionSubject {
  readonly user: Document<LivingUser>
  readonly clientId: string
  /** The projects whose roles were asked for. */
  readonly projectIds: readonly string[]
  readonly actor?: ActorClaim | undefined
}

/** The members of a payload about a SAML response, after the name of the function. */
export async function samlFunctionMembers(app: App, user: Document<LivingUser>, projectId: string): Promise<Members> {
  const [userPart, authorizations] = await Promise.all([
    userMembers(app, user, true),
    usableAuthorizations(app, user.id, [projectId]),
  ])
  const grants = await Promise.all(authorizations.map((one) => grantMembers(app, user, one, true)))
  return { user: userPart, ...withoutEmpty({ user_grants: grants }) }
}

/** The members of a payload about tokens and claims, after the name of the function. */
export async function tokenFunctionMembers(app: App, subject: FunctionSubject, claims: Members): Promise<Members> {
  const { user, clientId, projectIds, actor } = subject
  const [userPart, metadata, organization, authorizations] = await Promise.all([
    userMembers(app, user),
    metadataMembers(app, user.id),
    organizationOf(app, user.owner),
    usableAuthorizations(app, user.id, projectIds),
  ])
  const grants = await Promise.all(authorizations.map((one) => grantMembers(app, user, one)))
  return {
    userinfo: claims,
    user: userPart,
    ...withoutEmpty({ user_metadata: metadata }),
    ...(organization !== undefined && {
      org: withoutEmpty({
        id: organization.id,
        name: organization.state.name,
        primary_domain: primaryDomain(organization.state),
      }),
    }),
    ...withoutEmpty({ user_grants: grants }),
    ...(clientId !== '' && { application: { client_id: clientId } }),
    ...(actor !== undefined && { actor: actorMembers(actor) }),
  }
}
