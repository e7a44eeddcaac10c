/**
 * What both servers are asked. All of it is in the API that clients of either use: a question that one of them does not
 * answer is named in the report.
 */
import type { Json } from './ask.ts'

/** The IDs of what a question is about: those of the objects around it. */
export interface Place {
  readonly organizationId?: string
  readonly projectId?: string
  readonly grantId?: string
  readonly userId?: string
  readonly groupId?: string
}

export interface Question {
  /** What it asks for, in the plural. */
  readonly name: string
  /** The address; a list is asked for by POST. */
  path(place: Place): string
  /** A list, or the member with the only object. */
  readonly form: 'list' | { readonly member: string }
  /** The member that identifies an object of a list. */
  readonly id?: readonly string[]
  /** The member with the objects, in newer services, which also name the page differently. */
  readonly member?: string
  /** What is asked about each object of the list, and where that object is. */
  readonly below?: readonly Question[]
  place?(object: Json, place: Place): Place
  /** Whether only some of the objects are asked about further, because there are many. */
  readonly isSampled?: boolean
  /** The question is only asked about objects with this member. */
  readonly about?: string
  /** Restricts a list to a place. */
  body?(place: Place): Json
}

type Path = (place: Place) => string

function list(name: string, path: string | Path, id: readonly string[], more: Partial<Question> = {}): Question {
  return { name, path: typeof path === 'string' ? () => path : path, form: 'list', id, ...more }
}

function one(name: string, path: string, member: string): Question {
  return { name, path: () => path, form: { member } }
}

const POLICIES = ['login', 'lockout', 'password/complexity', 'password/age', 'privacy', 'label', 'domain']

function settingsAt(base: string): readonly Question[] {
  return [
    ...POLICIES.map((policy) => one(`${policy} settings`, `${base}/policies/${policy}`, 'policy')),
    list('offered providers', `${base}/policies/login/idps/_search`, ['idpId']),
    list('identity providers', `${base}/idps/templates/_search`, ['id']),
  ]
}

/** IDs come from the other server. */
function named(id = ''): string {
  return encodeURIComponent(id)
}

const ofUser = (path: string) => (place: Place) => `/management/v1/users/${named(place.userId)}/${path}`
const ofProject = (path: string) => (place: Place) => `/management/v1/projects/${named(place.projectId)}/${path}`

const USER: readonly Question[] = [
  list('metadata of users', ofUser('metadata/_search'), ['key']),
  list('links to providers', ofUser('idps/_search'), ['idpId', 'providedUserId'], { about: 'human' }),
  list('second factors', ofUser('auth_factors/_search'), ['otp', 'u2f', 'otpSms', 'otpEmail'], { about: 'human' }),
  list('passkeys', ofUser('passwordless/_search'), ['id'], { about: 'human' }),
  list('keys of machine users', ofUser('keys/_search'), ['id'], { about: 'machine' }),
  list('personal access tokens', ofUser('pats/_search'), ['id'], { about: 'machine' }),
]

const PROJECT: readonly Question[] = [
  list('roles', ofProject('roles/_search'), ['key']),
  list('applications', ofProject('apps/_search'), ['id']),
  list('administrators of projects', ofProject('members/_search'), ['userId']),
  list('project grants', ofProject('grants/_search'), ['grantId'], {
    place: (object, place) => ({ ...place, grantId: String(object.grantId) }),
    below: [
      list(
        'administrators of project grants',
        ({ projectId, grantId }) =>
          `/management/v1/projects/${named(projectId)}/grants/${named(grantId)}/members/_search`,
        ['userId'],
      ),
    ],
  }),
]

const ORGANIZATION: readonly Question[] = [
  list('domains', '/management/v1/orgs/me/domains/_search', ['domainName']),
  list('metadata of organizations', '/management/v1/metadata/_search', ['key']),
  list('administrators of organizations', '/management/v1/orgs/me/members/_search', ['userId']),
  ...settingsAt('/management/v1'),
  list('projects', '/management/v1/projects/_search', ['id'], {
    below: PROJECT,
    place: (object, place) => ({ ...place, projectId: String(object.id) }),
  }),
  list('users', '/v2/users', ['userId'], {
    body: ({ organizationId }) => ({
      queries: [{ organizationIdQuery: { organizationId } }],
      sortingColumn: 'USER_FIELD_NAME_CREATION_DATE',
    }),
    below: USER,
    isSampled: true,
    place: (object, place) => ({ ...place, userId: String(object.userId) }),
  }),
  list('authorizations', '/management/v1/users/grants/_search', ['id']),
  list('groups', '/zitadel.group.v2.GroupService/ListGroups', ['id'], {
    member: 'groups',
    body: ({ organizationId }) => ({ filters: [{ organizationId: { id: organizationId } }] }),
    below: [
      list('users of groups', '/zitadel.group.v2.GroupService/ListGroupUsers', ['user'], {
        member: 'groupUsers',
        body: ({ groupId }) => ({ filters: [{ groupIds: { ids: [groupId] } }] }),
      }),
    ],
    place: (object, place) => ({ ...place, groupId: String(object.id) }),
  }),
]

/** Everything, from the instance downwards. */
export const QUESTIONS: readonly Question[] = [
  list('administrators of the instance', '/admin/v1/members/_search', ['userId']),
  ...settingsAt('/admin/v1'),
  list('targets', '/v2/actions/targets/search', ['id'], { member: 'targets' }),
  list('executions', '/v2/actions/executions/search', ['condition'], { member: 'executions' }),
  list('organizations', '/v2/organizations/_search', ['id'], {
    below: ORGANIZATION,
    place: ({ id }) => ({ organizationId: String(id) }),
  }),
]
