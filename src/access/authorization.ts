/**
 * The gate every request passes before its message is read: who calls, for which organization, and may they.
 * It knows no room; what it must ask of them are its ports, which main connects.
 */
import type { DescMethod } from '@bufbuild/protobuf'
import type { Clock, Instant } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import type { Authorize, RequestHead } from './admit.ts'
import type { Caller } from './call.ts'
import { accessRefusals } from './refusals.ts'
import { RequestCall } from './request-call.ts'
import { type Requirement, requirementOf } from './requirement.ts'
import { holdsIn, holdsOnInstance, holdsSomewhere } from './roles.ts'

export { checkMethods } from './requirement.ts'

export interface AuthorizationOptions {
  /** The user behind a bearer; undefined when it is unknown, expired, or its user or organization is not active. */
  identify(bearer: string, at: Instant): Promise<Caller | undefined>
  /** The state of an organization; undefined when there is none. */
  organization(id: string): Promise<'active' | 'inactive' | undefined>
  readonly instanceId: string
  readonly clock: Clock
}

/** Longer than any token of ours; whatever is longer is not looked at. */
const LONGEST_BEARER = 16_384
// RFC 6750 §2.1: b64token; the scheme is case-insensitive (RFC 9110 §11.1).
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i

const ORGANIZATION_HEADERS = ['x-service-orgid', 'x-zitadel-orgid'] as const

function unauthenticated() {
  return refused(accessRefusals, 'access.unauthenticated')
}
function forbidden() {
  return refused(accessRefusals, 'access.forbidden')
}

function bearerOf(request: RequestHead): string | undefined {
  const header = request.header('authorization')
  if (header === undefined || header === '') return undefined
  const bearer = header.length <= LONGEST_BEARER ? BEARER.exec(header)?.[1] : undefined
  if (bearer === undefined) throw unauthenticated()
  return bearer
}

function organizationHeader(request: RequestHead): string | undefined {
  const [oursName, theirsName] = ORGANIZATION_HEADERS
  const ours = request.header(oursName) || undefined
  const theirs = request.header(theirsName) || undefined
  if (ours !== undefined && theirs !== undefined && ours !== theirs) {
    const violations = ORGANIZATION_HEADERS.map((field) => ({ field, description: 'does not match the other header' }))
    throw refused(accessRefusals, 'access.organization_ambiguous', { violations })
  }
  return ours ?? theirs
}

/** Throws unless the caller may call the method at all, for that organization. */
function checkPermission(requirement: Requirement, { grants }: Caller, organizationId: string): void {
  switch (requirement.type) {
    case 'context':
      if (!holdsIn(grants, requirement.permission, organizationId)) throw forbidden()
      break
    case 'instance':
      if (!holdsOnInstance(grants, requirement.permission)) throw forbidden()
      break
    case 'target':
      // Where it counts is seen by the handler; who holds it nowhere hears no before the message is looked at.
      if (!requirement.self && !holdsSomewhere(grants, requirement.permission)) throw forbidden()
      break
  }
}

function isConcerned({ grants, organizationId }: Caller, organization: string): boolean {
  return (
    organization === organizationId ||
    grants.some(({ scope }) => scope === 'instance' || scope.organizationId === organization)
  )
}

/** Opens the gate. Who may call a method is read from the contract the first time it is called. */
export function openAuthorization(ports: AuthorizationOptions): Authorize {
  const requirements = new Map<DescMethod, Requirement>()

  const requirementFor = (method: DescMethod): Requirement => {
    const known = requirements.get(method)
    if (known !== undefined) return known
    const requirement = requirementOf(method)
    requirements.set(method, requirement)
    return requirement
  }

  const findOrganization = async (caller: Caller, requirement: Requirement, named: string): Promise<void> => {
    if (!isConcerned(caller, named)) throw forbidden()
    if (named === caller.organizationId || (await ports.organization(named)) !== undefined) return
    // Only those who may look everywhere are told that there is nothing.
    const permission = 'permission' in requirement ? requirement.permission : 'org.read'
    const mayKnow = holdsOnInstance(caller.grants, permission)
    throw mayKnow ? refused(accessRefusals, 'access.organization_not_found') : forbidden()
  }

  return async (method, request) => {
    const at = ports.clock()
    const requirement = requirementFor(method.descriptor)
    const bearer = bearerOf(request)
    const caller = bearer === undefined ? undefined : await ports.identify(bearer, at)
    // A credential that is shown must be good, even where none is needed.
    if (caller === undefined && (bearer !== undefined || requirement.type !== 'public')) throw unauthenticated()

    const named = organizationHeader(request)
    const organizationId = named ?? caller?.organizationId ?? ''
    if (caller !== undefined) {
      checkPermission(requirement, caller, organizationId)
      if (named !== undefined && requirement.type !== 'public') await findOrganization(caller, requirement, named)
    }

    const call = new RequestCall({ requirement, caller, organizationId, at, request, instanceId: ports.instanceId })
    return {
      call,
      callerId: caller?.userId,
      checkMessage: (message) => call.checkMessage(message),
      finish() {
        if (call.isUnchecked) {
          throw new Error(`${method.descriptor.parent.typeName}/${method.descriptor.name} never asked for permission`)
        }
      },
    }
  }
}
