/** The target that a message names (an organization, the instance, or a user), read before the rest is validated. */

/** `organization` is empty for the instance. */
export type NamedTarget = { readonly organization: string } | { readonly user: string }

/** Longer than any ID; a longer one cannot exist. */
const LONGEST_ID = 200

function isId(value: unknown): value is string {
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

/** The target of a message. `fallback`: the organization of the call, if the method uses it by default. */
export function namedTarget(message: object, fallback: string | undefined): NamedTarget | undefined {
  const organization = chosenOrganization(message) ?? fallback
  if (organization !== undefined) return { organization }
  const user = memberOf(message, 'userId')
  return isId(user) ? { user } : undefined
}
