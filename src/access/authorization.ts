/**
 * Authorizes every request before its message is read: identifies the caller and the organization, and checks the
 * permission. It imports no module; `app.ts` passes in what it needs from them.
 */
import type { DescMethod } from '@bufbuild/protobuf'
import type { Clock, Instant } from '../kernel/instant.ts'
import { type Refused, refused } from '../kernel/refusal.ts'
import type { Call, Caller, Place, RequestHead, ShownProof } from './call.ts'
import { countFor } from './current-caller.ts'
import type { AnyMethod } from './method.ts'
import { isId, type NamedTarget, namedTarget } from './named-target.ts'
import { accessRefusals } from './refusals.ts'
import { describeMissing, RequestCall } from './request-call.ts'
import {
  concernsProjects,
  holdsAnywhere,
  isReading,
  type Requirement,
  requirementOf,
  usesOrganizationOfCall,
} from './requirement.ts'
import { holdsEverywhere, holdsIn, holdsOnInstance } from './roles.ts'

export { checkEveryMethodIsServed, checkMethods } from './requirement.ts'

export interface AuthorizationOptions {
  /**
   * Returns the user behind a bearer token; undefined when the token is unknown or expired, or when its user or
   * organization is not active. `origin` is that of the page that calls, if a browser sent one; `digest` is that of the
   * header.
   */
  identify(bearer: string, at: Instant, origin?: string, digest?: string): Promise<Caller | undefined>
  /** As above, for a token that is bound to a key, with the proof of the request. If not set, there are no such tokens. */
  identifyByProof?(token: string, at: Instant, shown: ShownProof, origin?: string): Promise<Caller | undefined>
  /** Returns the state of an organization; undefined when it does not exist. */
  organization(id: string): Promise<'active' | 'inactive' | undefined>
  /** The organization of a user, also of one that was removed; undefined when there was none. */
  organizationOfUser(id: string): Promise<string | undefined>
  /** What callers are told of a user that does not exist, or that they do not have the permission for. */
  userNotFound(): Refused
  /** The organization of a group; undefined when there is none. */
  organizationOfGroup(id: string): Promise<string | undefined>
  /** The place of a project; undefined when there is none. */
  placeOfProject(id: string): Promise<Place | undefined>
  /** The project of our own API; empty before there is one. */
  apiProjectId(): Promise<string>
  readonly instanceId: string
  readonly clock: Clock
}

/** Longer than any token that this server issues. Longer ones are rejected unread. */
const LONGEST_BEARER = 16_384
// RFC 6750 §2.1: b64token; the scheme is case-insensitive (RFC 9110 §11.1).
const CREDENTIALS = /^(bearer|dpop) +([A-Za-z0-9._~+/-]+=*) *$/i

const ORGANIZATION_HEADERS = ['x-service-orgid', 'x-zitadel-orgid'] as const

function unauthenticated() {
  return refused(accessRefusals, 'access.unauthenticated')
}
function forbidden(reason?: string, isHidden = false) {
  return refused(accessRefusals, isHidden ? 'access.not_found' : 'access.forbidden', { reason })
}

interface Credentials {
  readonly token: string
  /** The token is bound to a key, and this is the proof (RFC 9449 §7.1). */
  readonly shown?: ShownProof
}

function credentialsOf(request: RequestHead, isAgain = false): Credentials | undefined {
  const header = request.header('authorization')
  if (header === undefined || header === '') return undefined
  if (header.length > LONGEST_BEARER) throw unauthenticated()
  const [, scheme, token] = CREDENTIALS.exec(header) ?? []
  if (scheme === undefined || token === undefined) throw refused(accessRefusals, 'access.authorization_malformed')
  if (scheme.toLowerCase() === 'bearer') return { token }
  const proof = request.header('dpop')
  if (proof === undefined || proof.length > LONGEST_BEARER) throw unauthenticated()
  return { token, shown: { proof, verb: request.verb, path: request.path, isAgain } }
}

/** The bearer token of a request; undefined when there is none, or when it is shown with a proof. */
export function bearerOf(request: RequestHead): string | undefined {
  const credentials = credentialsOf(request)
  return credentials?.shown === undefined ? credentials?.token : undefined
}

/** The caller that a request names; it counts for them from then on. Undefined when there is no token, or when it does not count. */
export async function identifyCaller(
  options: AuthorizationOptions,
  request: RequestHead,
  at: Instant,
  isAgain: boolean,
): Promise<Caller | undefined> {
  const credentials = credentialsOf(request, isAgain)
  if (credentials === undefined) return undefined
  const { token, shown } = credentials
  const origin = request.header('origin') || undefined
  const caller = await (shown === undefined
    ? options.identify(token, at, origin, request.credentialsDigest)
    : options.identifyByProof?.(token, at, shown, origin))
  if (caller !== undefined) countFor(caller.organizationId, caller.userId)
  return caller
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

/** What a caller can do who must change their password. */
const CHANGES_PASSWORD: ReadonlySet<string> = new Set([
  'signet.user.v2.UserService.SetPassword',
  'signet.auth.v1.AuthService.UpdateMyPassword',
])

/** Throws unless the method changes a password, when that is all the caller may do. */
function checkPasswordChange(requirement: Requirement, { parent, name }: DescMethod, caller: Caller): void {
  if (caller.mustChangePassword !== true || requirement.type === 'public') return
  if (CHANGES_PASSWORD.has(`${parent.typeName}.${name}`)) return
  throw refused(accessRefusals, 'access.password_change_required')
}

/** Throws when the scopes of the token do not reach as far as the method. */
function checkReach(method: DescMethod, { reach }: Caller): void {
  if (reach === undefined || (isReading(method) ? reach.reads : reach.changes)) return
  throw refused(accessRefusals, 'access.scope_missing')
}

/** Throws unless the caller may call the method at all, for that organization. */
function checkPermission(requirement: Requirement, { grants }: Caller, organizationId: string): void {
  switch (requirement.type) {
    case 'context':
      if (!holdsIn(grants, requirement.permission, organizationId)) {
        throw forbidden(describeMissing(requirement.permission, organizationId))
      }
      break
    case 'instance':
      if (!holdsOnInstance(grants, requirement.permission)) {
        throw forbidden(describeMissing(requirement.permission, 'the instance'))
      }
      break
    case 'every organization':
      if (!holdsEverywhere(grants, requirement.permission)) {
        throw forbidden(describeMissing(requirement.permission, 'every organization'))
      }
      break
    case 'target':
      // The handler checks the permission on the target. A caller without it anywhere is refused before the message is
      // read.
      if (!requirement.self && !requirement.isFiltered && !holdsAnywhere(grants, requirement)) {
        throw forbidden(describeMissing(requirement.permission, undefined), requirement.isHidden)
      }
      break
  }
}

function isRelatedTo({ grants, organizationId }: Caller, organization: string): boolean {
  return (
    organization === organizationId ||
    grants.some(({ scope }) => {
      if (scope === 'instance') return true
      if ('organizationId' in scope) return scope.organizationId === organization
      return organization === ('grantId' in scope ? scope.grantedId : scope.ownerId)
    })
  )
}

/** The user that a message is about; undefined when it names none, which its limits report. */
function subjectOf(requirement: Requirement, call: RequestCall, message: object): string | undefined {
  if (!('permission' in requirement)) return undefined
  if (requirement.isAboutCaller) return call.caller.userId
  const { about } = requirement
  const named = about === undefined ? undefined : (message as Readonly<Record<string, unknown>>)[about]
  return isId(named) ? named : undefined
}

/** An authorized request. */
export interface AuthorizedRequest {
  readonly call: Call
  /** For the access log. */
  readonly callerId?: string | undefined
  /** The organization that the caller belongs to. */
  readonly callerOrganizationId?: string | undefined
  /**
   * Call it with the message before anything else is read for it, and before its limits are checked. Decides on the user
   * that the message is about: throws when the method needs more than the caller has for that user.
   */
  checkMessage(message: object): Promise<void>
  /**
   * To be called when the message breaks its limits: throws when the caller lacks the permission on what it names. Who
   * holds it elsewhere only must not learn what is wrong with the message (contract: permission before validation).
   */
  checkTarget(message: object): Promise<void>
  /** To be called after the handler and before its reply is sent: throws when the handler never checked the permission. */
  finish(): void
  /** Authorizes the request as of now, for what it does later: the caller may have lost what was looked at in the beginning. */
  again(): Promise<AuthorizedRequest>
}

/** Authorizes a request for a method, or throws the refusal that answers it. Runs before the message is decoded. */
export type Authorize = (method: AnyMethod, request: RequestHead) => Promise<AuthorizedRequest>

/** Creates the authorization. The requirement of a method is read from the contract at its first call. */
export function openAuthorization(options: AuthorizationOptions): Authorize {
  const requirements = new Map<DescMethod, Requirement>()

  const requirementFor = (method: DescMethod): Requirement => {
    const known = requirements.get(method)
    if (known !== undefined) return known
    const requirement = requirementOf(method)
    requirements.set(method, requirement)
    return requirement
  }

  const findOrganization = async (caller: Caller, requirement: Requirement, named: string): Promise<void> => {
    if (!isRelatedTo(caller, named)) throw forbidden(`no relation to the organization ${named}`)
    if (named === caller.organizationId || (await options.organization(named)) !== undefined) return
    // Only callers who may read all organizations learn that it does not exist.
    const permission = 'permission' in requirement ? requirement.permission : 'org.read'
    const mayKnow = holdsEverywhere(caller.grants, permission)
    throw mayKnow ? refused(accessRefusals, 'access.organization_not_found') : forbidden()
  }

  const placeOf = async (target: NamedTarget): Promise<Place | undefined> => {
    // Callers without a role on the instance are told the same of a user who does not exist as of one elsewhere.
    if ('user' in target) return (await options.organizationOfUser(target.user)) ?? options.instanceId
    if ('group' in target) return options.organizationOfGroup(target.group)
    return 'project' in target ? options.placeOfProject(target.project) : target.organization || options.instanceId
  }

  const checkSubject = async (requirement: Requirement, call: RequestCall, message: object): Promise<void> => {
    const subject = subjectOf(requirement, call, message)
    if (subject === undefined || !('permission' in requirement)) return
    const { userId, organizationId, grants } = call.caller
    const isOneself = subject === userId
    if (requirement.type === 'target' && !requirement.isFiltered && !call.isOwn(subject)) {
      if (!holdsAnywhere(grants, requirement)) throw forbidden(describeMissing(requirement.permission, undefined))
      // Whoever has the permission on the instance may know who exists: the handler tells them, after the limits were checked.
      const place = isOneself ? organizationId : ((await options.organizationOfUser(subject)) ?? options.instanceId)
      if (!call.may(requirement.permission, place)) throw options.userNotFound()
    }
    call.requireRecent(subject)
  }

  const authorize = async (method: AnyMethod, request: RequestHead, isAgain: boolean): Promise<AuthorizedRequest> => {
    const at = options.clock()
    const requirement = requirementFor(method.descriptor)
    // A method that needs no token does not look at the header: a token that has expired is no reason to refuse it.
    const caller = requirement.type === 'public' ? undefined : await identifyCaller(options, request, at, isAgain)
    if (caller === undefined && requirement.type !== 'public') throw unauthenticated()

    const named = organizationHeader(request)
    const organizationId = named ?? caller?.organizationId ?? ''
    if (caller !== undefined) {
      checkPasswordChange(requirement, method.descriptor, caller)
      checkReach(method.descriptor, caller)
      checkPermission(requirement, caller, organizationId)
      if (named !== undefined && requirement.type !== 'public') await findOrganization(caller, requirement, named)
    }

    const { instanceId } = options
    const apiProjectId = concernsProjects(requirement) ? await options.apiProjectId() : ''
    const call = new RequestCall({ requirement, caller, organizationId, at, request, instanceId, apiProjectId })
    return {
      call,
      callerId: caller?.userId,
      callerOrganizationId: caller?.organizationId,
      checkMessage: (message) => checkSubject(requirement, call, message),
      async checkTarget(message) {
        // About a user it was decided before.
        if (requirement.type !== 'target' || caller === undefined || requirement.about !== undefined) return
        const fallback = usesOrganizationOfCall(method.descriptor) ? organizationId : undefined
        const target = namedTarget(message, fallback, requirement.permission)
        if (target === undefined) return
        const place = await placeOf(target)
        if (place === undefined) return
        const permissions = [requirement.permission, ...requirement.alternatives]
        if (permissions.some((permission) => call.may(permission, place))) return
        throw forbidden(call.missing, requirement.isHidden)
      },
      finish() {
        if (call.isUnchecked) {
          throw new Error(`${method.descriptor.parent.typeName}/${method.descriptor.name} never checked the permission`)
        }
      },
      again: () => authorize(method, request, true),
    }
  }

  return (method, request) => authorize(method, request, false)
}
