/** Projects, their roles, grants and applications, and the authorizations of users, from the events of `project` and `usergrant`. */
import {
  flag,
  type Members,
  milliseconds,
  need,
  numbers,
  optional,
  type PeerEvent,
  take,
  text,
  texts,
  url,
  whole,
} from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'
import { type PublicKey, publicKeyOf, secretHash } from './users.ts'

const PROJECT = {
  name: text,
  projectRoleAssertion: flag,
  projectRoleCheck: flag,
  hasProjectCheck: flag,
  privateLabelingSetting: whole,
}
const PROJECT_BEGINS = ['project.added']
const PROJECT_ENDS = ['project.removed']

export interface ProjectState {
  values: Members<typeof PROJECT>
  isActive: boolean
  roles: Parts<{ readonly displayName: string; readonly group: string }>
}

function putRole({ roles }: ProjectState, event: PeerEvent): void {
  const key = need(event, 'key', text)
  const before = roles.living.get(key)?.value
  const displayName = optional(event, 'displayName', text) ?? before?.displayName ?? ''
  roles.put(key, { displayName, group: optional(event, 'group', text) ?? before?.group ?? '' }, event)
}

export const projects: Folding<ProjectState> = {
  aggregateType: 'project',
  initial: () => ({ values: {}, isActive: true, roles: new Parts() }),
  begins: PROJECT_BEGINS,
  ends: PROJECT_ENDS,
  changes: {
    'project.added': (state, event) => {
      need(event, 'name', text)
      state.values = take(event, PROJECT)
    },
    'project.changed': (state, event) => {
      state.values = { ...state.values, ...take(event, PROJECT) }
    },
    'project.owner.corrected': () => {},
    'project.deactivated': (state) => {
      state.isActive = false
    },
    'project.reactivated': (state) => {
      state.isActive = true
    },
    'project.role.added': putRole,
    'project.role.changed': putRole,
    'project.role.removed': ({ roles }, event) => roles.remove(need(event, 'key', text)),
  },
}

export interface GrantState {
  readonly grantedOrganizationId: string
  readonly roleKeys: readonly string[]
  readonly isActive: boolean
}

type Grants = Parts<GrantState>

function changeGrant(change: (grant: GrantState, event: PeerEvent) => GrantState) {
  return (grants: Grants, event: PeerEvent): void =>
    grants.change(need(event, 'grantId', text), event, (grant) => change(grant, event))
}

const setGrantRoles = changeGrant((grant, event) => ({ ...grant, roleKeys: optional(event, 'roleKeys', texts) ?? [] }))

export const projectGrants: Folding<Grants> = {
  aggregateType: 'project',
  initial: () => new Parts(),
  ends: PROJECT_ENDS,
  changes: {
    'project.grant.added': (grants, event) => {
      const grantedOrganizationId = need(event, 'grantedOrgId', text)
      const roleKeys = optional(event, 'roleKeys', texts) ?? []
      grants.add(need(event, 'grantId', text), { grantedOrganizationId, roleKeys, isActive: true }, event)
    },
    'project.grant.changed': setGrantRoles,
    'project.grant.cascade.changed': setGrantRoles,
    'project.grant.deactivated': changeGrant((grant) => ({ ...grant, isActive: false })),
    'project.grant.reactivated': changeGrant((grant) => ({ ...grant, isActive: true })),
    'project.grant.removed': (grants, event) => grants.remove(need(event, 'grantId', text)),
  },
}

const OIDC = {
  clientId: text,
  redirectUris: texts,
  postLogoutRedirectUris: texts,
  responseTypes: numbers,
  grantTypes: numbers,
  applicationType: whole,
  authMethodType: whole,
  devMode: flag,
  accessTokenType: whole,
  accessTokenRoleAssertion: flag,
  idTokenRoleAssertion: flag,
  idTokenUserinfoAssertion: flag,
  clockSkew: milliseconds,
  additionalOrigins: texts,
  skipNativeAppSuccessPage: flag,
  backChannelLogoutURI: text,
  loginVersion: whole,
  loginBaseURI: url,
  iosTeamId: text,
  iosBundleId: text,
  androidPackageName: text,
  androidSha256CertFingerprints: texts,
}

/** Bytes as base64. The address is where they came from. */
const SAML = { metadata: text, metadata_url: text }

export interface ApplicationState {
  name: string
  isActive: boolean
  /** Undefined: it was never configured. */
  type?: 'oidc' | 'api' | 'saml'
  values: Members<typeof OIDC & typeof SAML>
  secret?: string
  keys: Parts<PublicKey>
}

type Applications = Parts<ApplicationState>

function changeApplication(change: (application: ApplicationState, event: PeerEvent) => void) {
  return (applications: Applications, event: PeerEvent): void =>
    applications.change(need(event, 'appId', text), event, (application) => {
      change(application, event)
      return application
    })
}

/** Sets the configuration of an application, and its secret where the event has one. */
function configure(type: 'oidc' | 'api' | 'saml') {
  return changeApplication((application, event) => {
    application.type = type
    application.values = { ...application.values, ...take(event, OIDC), ...(type === 'saml' && take(event, SAML)) }
    setSecret(application, event)
  })
}

function setSecret(application: ApplicationState, event: PeerEvent): void {
  const secret = secretHash(event, 'clientSecret', 'hashedSecret')
  if (secret) application.secret = secret
}

const configs: Changes<Applications> = Object.fromEntries(
  (['oidc', 'api', 'saml'] as const).flatMap((type) => [
    ...['added', 'changed'].map((action) => [`project.application.config.${type}.${action}`, configure(type)] as const),
    ...['changed', 'updated'].map(
      (action) => [`project.application.config.${type}.secret.${action}`, changeApplication(setSecret)] as const,
    ),
  ]),
)

export const applications: Folding<Applications> = {
  aggregateType: 'project',
  initial: () => new Parts(),
  ends: PROJECT_ENDS,
  changes: {
    ...configs,
    'project.application.added': (applications, event) => {
      const name = need(event, 'name', text)
      applications.add(need(event, 'appId', text), { name, isActive: true, values: {}, keys: new Parts() }, event)
    },
    'project.application.changed': changeApplication((application, event) => {
      application.name = optional(event, 'name', text) ?? application.name
    }),
    'project.application.deactivated': changeApplication((application) => {
      application.isActive = false
    }),
    'project.application.reactivated': changeApplication((application) => {
      application.isActive = true
    }),
    'project.application.removed': (applications, event) => applications.remove(need(event, 'appId', text)),
    'project.application.oidc.key.added': (applications, event) =>
      applications.living
        .get(need(event, 'applicationId', text))
        ?.value.keys.add(need(event, 'keyId', text), publicKeyOf(event), event),
    'project.application.oidc.key.removed': (applications, event) => {
      for (const { value } of applications.living.values()) value.keys.remove(need(event, 'keyId', text))
    },
  },
}

export interface AuthorizationState {
  userId: string
  projectId: string
  grantId: string
  roleKeys: readonly string[]
  isActive: boolean
}

function setRoles(state: AuthorizationState, event: PeerEvent): void {
  state.roleKeys = optional(event, 'roleKeys', texts) ?? []
}

export const authorizations: Folding<AuthorizationState> = {
  aggregateType: 'usergrant',
  initial: () => ({ userId: '', projectId: '', grantId: '', roleKeys: [], isActive: true }),
  begins: ['user.grant.added'],
  ends: ['user.grant.removed', 'user.grant.cascade.removed'],
  changes: {
    'user.grant.added': (state, event) => {
      state.userId = need(event, 'userId', text)
      state.projectId = need(event, 'projectId', text)
      state.grantId = optional(event, 'grantId', text) ?? ''
      setRoles(state, event)
    },
    'user.grant.changed': setRoles,
    'user.grant.cascade.changed': setRoles,
    'user.grant.deactivated': (state) => {
      state.isActive = false
    },
    'user.grant.reactivated': (state) => {
      state.isActive = true
    },
  },
}
