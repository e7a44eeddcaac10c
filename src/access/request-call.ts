/**
 * The call of one request. Tells the handler who the caller is and what they may do, and records that the permission was
 * checked.
 */
import type { Instant } from '../kernel/instant.ts'
import { refused } from '../kernel/refusal.ts'
import type { Origin } from '../store/index.ts'
import type { Call, Caller, Grant, Place, ProjectsInReach, RequestHead } from './call.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'
import { accessRefusals } from './refusals.ts'
import type { Requirement } from './requirement.ts'
import { holdsIn, holdsOnInstance, ownersWith, projectsWith } from './roles.ts'

/** The data of an authorized request. */
export interface RequestCallParts {
  readonly requirement: Requirement
  readonly caller: Caller | undefined
  readonly organizationId: string
  readonly at: Instant
  readonly request: RequestHead
  readonly instanceId: string
  /** The project of our own API; needed by methods about projects. */
  readonly apiProjectId?: string
}

const NO_GRANTS: readonly Grant[] = []

/** A missing permission and where it is missing, for the debug log. */
export function describeMissing(permission: string, place: Place | undefined): string {
  if (place === undefined) return `${permission} is missing`
  if (typeof place === 'string') return `${permission} is missing on ${place}`
  return `${permission} is missing on ${'grantId' in place ? `grant ${place.grantId} of ` : ''}project ${place.projectId}`
}

/**
 * A class because one is created for every request: an object literal with a getter costs more than everything else.
 */
export class RequestCall implements Call {
  readonly isAnonymous: boolean
  readonly organizationId: string
  readonly at: Instant
  readonly origin: Origin
  readonly #parts: RequestCallParts
  readonly #grants: readonly Grant[]
  #isChecked = false
  missing: string | undefined

  constructor(parts: RequestCallParts) {
    const { caller, organizationId, at } = parts
    this.isAnonymous = caller === undefined
    this.organizationId = organizationId
    this.at = at
    this.origin = { actor: caller === undefined ? 'anonymous' : { user: caller.userId }, at }
    this.#parts = parts
    this.#grants = caller?.grants ?? NO_GRANTS
  }

  get caller(): Caller {
    const { caller } = this.#parts
    if (caller === undefined) throw refused(accessRefusals, 'access.unauthenticated')
    return caller
  }

  get requestId(): string {
    return this.#parts.request.requestId
  }

  get signal(): AbortSignal {
    return this.#parts.request.signal
  }

  /** Whether the handler should have checked the permission on the target but did not. */
  get isUnchecked(): boolean {
    return this.#parts.requirement.type === 'target' && !this.#isChecked
  }

  authorize(place: Place, subject?: string): void {
    this.#isChecked = true
    const { requirement } = this.#parts
    if ((subject === undefined || !this.isOwn(subject)) && !this.may(this.#permission, place)) {
      const isHidden = requirement.type === 'target' && requirement.isHidden
      throw refused(accessRefusals, isHidden ? 'access.not_found' : 'access.forbidden')
    }
    if (subject !== undefined) this.requireRecent(subject)
  }

  isOwn(subject: string): boolean {
    const { requirement, caller } = this.#parts
    return requirement.type === 'target' && requirement.self && subject === caller?.userId
  }

  /** Throws when the method about this user is one that callers need a recent sign-in for, and it is their own. */
  requireRecent(subject: string): void {
    const { requirement } = this.#parts
    if ('permission' in requirement && requirement.isFresh) requireFreshSignIn(this, subject)
  }

  reaches(place: Place, subject?: string): boolean {
    this.#isChecked = true
    return (subject !== undefined && this.isOwn(subject)) || this.may(this.#permission, place)
  }

  authorizeWith(permission: string, place: Place): void {
    this.#isChecked = true
    if (!this.may(this.#named(permission), place)) throw refused(accessRefusals, 'access.forbidden')
  }

  may(permission: string, place: Place): boolean {
    const isOnInstance = place === this.#parts.instanceId || (this.#isOfApi(place) && !permission.endsWith('.read'))
    const holds = isOnInstance ? holdsOnInstance(this.#grants, permission) : holdsIn(this.#grants, permission, place)
    if (!holds) this.missing = describeMissing(permission, place)
    return holds
  }

  /**
   * Whether the place is the project of our own API. It belongs to an organization, but the whole instance depends on it:
   * tokens of its applications act for users with all that they hold, and its settings decide who gets into the console.
   */
  #isOfApi(place: Place): boolean {
    return typeof place === 'object' && place.projectId !== '' && place.projectId === this.#parts.apiProjectId
  }

  visibleOwners(permission = this.#permission): 'all' | readonly string[] {
    this.#isChecked = true
    return ownersWith(this.#grants, this.#named(permission))
  }

  visibleProjects(permission = this.#permission): ProjectsInReach {
    this.#isChecked = true
    return projectsWith(this.#grants, this.#named(permission))
  }

  /** The permission, if the contract names it for the method. */
  #named(permission: string): string {
    const { requirement } = this.#parts
    if (permission === this.#permission) return permission
    if (requirement.type === 'target' && requirement.alternatives.includes(permission)) return permission
    throw new Error(`the contract does not name ${permission} for this method`)
  }

  get #permission(): string {
    const { requirement } = this.#parts
    if ('permission' in requirement) return requirement.permission
    throw new Error('a method without a permission checked one')
  }
}
