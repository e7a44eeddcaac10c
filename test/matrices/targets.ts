/**
 * What must come out when somebody who holds something asks about the things of the organization, a person above it, the
 * project of the API, or an organization that is closed. Read from the contract: which permission, and where.
 */
import type { DescMethodUnary, JsonObject } from '@bufbuild/protobuf'
import type { Grant, Place } from '../../src/access/call.ts'
import { type Requirement, requirementOf } from '../../src/access/requirement.ts'
import { holdsEverywhere, holdsIn, holdsSomewhere } from '../../src/access/roles.ts'
import { allMethods } from '../support/services.ts'
import { PRIVILEGE_RULES } from './above-table.ts'
import { type ActorName, BEYOND, placesOf } from './actors.ts'
import { HANDLERS_ASK, isAboutOneself, nameOf, ofActor, refusalOf, WHOLE_ORGANIZATION } from './authority-table.ts'
import type { CallerWorld, Heard, MatrixCaller } from './world.ts'

/** What somebody hears; `old sign-in`: they must sign in again to do this to themselves, which an application cannot. */
export type Verdict = Heard['outcome'] | 'old sign-in'

export function verdictOf({ outcome, id }: Heard): Verdict {
  return id === 'access.sign_in_again' ? 'old sign-in' : outcome
}

const READS = /^(Get|List|Is|Retrieve|Healthz|Check|Watch|WaitFor|Explain|Count)/

/** Everything that changes something: credentials, roles, messages, tokens and all the rest. */
export const writes = [...allMethods.values()].filter((method) => !READS.test(method.name))

/** Whose application cannot change how its user signs in: the user is above those who control it. */
const OLD_SIGN_IN: ReadonlySet<ActorName> = new Set<ActorName>([
  'project’s application, of an administrator',
  'organization’s application, of an administrator',
  'another organization’s application, of an administrator',
])

/** Where a method asks for a permission: on the project or its grant where it is one of those, else in the organization. */
function placeIn(world: CallerWorld, permission: string): Place {
  const { project, grant } = placesOf(world)
  if (permission.startsWith('project.grant.member.')) return grant
  const isOfProject = /^(project|user\.grant)\./.test(permission) && permission !== 'project.create'
  return isOfProject ? project : world.ids.home
}

function holds(requirement: Requirement, { grants, organizationId }: MatrixCaller, place: Place): boolean {
  switch (requirement.type) {
    case 'public':
    case 'authenticated':
      return true
    case 'context':
      return holdsIn(grants, requirement.permission, organizationId)
    case 'instance':
    case 'every organization':
      return BEYOND[requirement.type](grants, requirement.permission)
    case 'target':
      return holdsIn(grants, requirement.permission, place)
  }
}

/** About the things of the organization, by the rules alone. */
function byRules(world: CallerWorld, method: DescMethodUnary, name: ActorName, actor: MatrixCaller): Verdict {
  const requirement = requirementOf(method)
  if (isAboutOneself(method) && requirement.type === 'target') {
    return requirement.isFresh && OLD_SIGN_IN.has(name) ? 'old sign-in' : 'allowed'
  }
  const asked = HANDLERS_ASK[method.name]
  if (requirement.type === 'authenticated' && asked !== undefined) {
    return holdsIn(actor.grants, asked, world.ids.home) ? 'allowed' : '403'
  }
  const permission = 'permission' in requirement ? requirement.permission : ''
  if (!holds(requirement, actor, placeIn(world, permission))) return refusalOf(requirement, actor.grants)
  const isElsewhere = actor.organizationId !== world.ids.home && requirement.type === 'context'
  return isElsewhere && !WHOLE_ORGANIZATION.test(nameOf(method)) ? '404' : 'allowed'
}

/** About the things of the organization. */
export function onThings(world: CallerWorld, method: DescMethodUnary, name: ActorName, actor: MatrixCaller): Verdict {
  return ofActor(method, name, byRules(world, method, name, actor))
}

/** About a person above the organization: whoever might do it to others is told that this one is above them. */
export function onPersonAbove(method: DescMethodUnary, actor: MatrixCaller, world: CallerWorld): string {
  const asked = HANDLERS_ASK[method.name]
  const requirement = requirementOf(method)
  const permission = asked ?? ('permission' in requirement ? requirement.permission : '')
  const covers = actor.grants.some(({ scope, roles }) => scope === 'instance' && roles.includes('IAM_OWNER'))
  if (covers) return 'done'
  const isHolder = holdsIn(
    actor.grants,
    permission,
    requirement.type === 'context' ? actor.organizationId : world.ids.home,
  )
  return isHolder ? 'user.above_own' : 'access.forbidden'
}

/** The methods about a person that a person above could lose by. */
export const personal = writes.filter((method) =>
  ['person', 'organization'].includes(PRIVILEGE_RULES[nameOf(method)] ?? ''),
)

/** What a request names when it is about a project; undefined when it is about none. */
export function namingProject(
  method: DescMethodUnary,
  {
    projectId,
    applicationId,
    organizationId,
  }: Readonly<Record<'projectId' | 'applicationId' | 'organizationId', string>>,
): JsonObject | undefined {
  const { permission, alternatives } = {
    alternatives: [] as readonly string[],
    permission: '',
    ...requirementOf(method),
  }
  const ofProject = [permission, ...alternatives].filter((one) => /^(project|user\.grant)\./.test(one))
  if (ofProject.every((one) => one.endsWith('.read')) || method.name === 'CreateProject') return undefined
  const fields = new Set(method.input.fields.map(({ localName }) => localName))
  if (fields.has('projectId')) {
    const named = Object.entries({ projectId, applicationId, appId: applicationId, organizationId })
    return Object.fromEntries(named.filter(([name]) => fields.has(name)))
  }
  if (fields.has('resource')) return { resource: { projectId } }
  return fields.has('id') && /^(Update|Deactivate|Reactivate|Remove)Project$/.test(method.name)
    ? { id: projectId }
    : undefined
}

/** Whether a closed organization lets this through: nothing but what takes no role in it. */
export function inClosed(method: DescMethodUnary, grants: readonly Grant[]): boolean {
  const requirement = requirementOf(method)
  if (!('permission' in requirement) || isAboutOneself(method)) return true
  return (
    holdsEverywhere(grants, requirement.permission) ||
    (requirement.permission.endsWith('.read') && holdsSomewhere(grants, requirement.permission))
  )
}

const ROLES = [
  ['organization', 'ORG_OWNER'],
  ['organization', 'ORG_USER_MANAGER'],
  ['instance', 'IAM_USER_MANAGER'],
  ['instance', 'IAM_LOGIN_CLIENT'],
] as const

/** Whether a role below the owner of the instance can call a method. */
export function isForRoles(method: DescMethodUnary): boolean {
  const requirement = requirementOf(method)
  return ROLES.some(([level, role]) => {
    const scope = level === 'instance' ? level : { organizationId: 'home' }
    const grants: readonly Grant[] = [{ scope, roles: [role] }]
    return holds(requirement, { bearer: '', grants, organizationId: 'home', human: '', machine: '' }, 'home')
  })
}
