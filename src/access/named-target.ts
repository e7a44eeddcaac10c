/**
 * What a message says it is about, read before the rest of it is checked: an organization, the instance, a
 * project, a group, or a user.
 */

/** `organization` is empty for the instance. */
export type NamedTarget =
  | { readonly organization: string }
  | { readonly project: string }
  | { readonly group: string }
  | { readonly user: string }

/** Longer than any id of ours; a longer one names nothing. */
const LONGEST_ID = 200

/** Whether a value can be the ID of something. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_ID && !value.includes('\0')
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}

/** The oneofs of the contract that choose an organization or the instance: the field of the request, and the oneof in it. */
const CHOICES = [
  ['organisation', 'org'],
  ['ctx', 'resourceOwner'],
  ['resource', 'resource'],
] as const

function chosenOrganization(message: object): string | undefined {
  for (const [field, oneof] of CHOICES) {
    const chosen = memberOf(memberOf(message, field), oneof)
    const [name, value] = [memberOf(chosen, 'case'), memberOf(chosen, 'value')]
    if (name === 'instance') return ''
    if ((name === 'orgId' || name === 'organizationId') && isId(value)) return value
  }
  const named = memberOf(message, 'organizationId')
  return isId(named) ? named : undefined
}

/** The project of a resource that is a project or its grant. */
function chosenProject(message: object): unknown {
  const chosen = memberOf(memberOf(message, 'resource'), 'resource')
  const value = memberOf(chosen, 'value')
  switch (memberOf(chosen, 'case')) {
    case 'projectId':
      return value
    case 'projectGrant':
      return memberOf(value, 'projectId')
    default:
      return undefined
  }
}

/**
 * The target of a message of a method with this permission: the v1 methods about projects, and those about groups, name it
 * by `id`. `fallback` is the organization of the call where the method works there unless it is told.
 */
export function namedTarget(message: object, fallback: string | undefined, permission = ''): NamedTarget | undefined {
  const named = chosenOrganization(message)
  if (named !== undefined) return { organization: named }
  const id = memberOf(message, 'id')
  if (permission.startsWith('group.')) return isId(id) ? { group: id } : undefined
  const byId = permission.startsWith('project.') ? id : undefined
  const project = memberOf(message, 'projectId') ?? byId ?? chosenProject(message)
  if (isId(project)) return { project }
  if (fallback !== undefined) return { organization: fallback }
  const user = memberOf(message, 'userId')
  return isId(user) ? { user } : undefined
}
