/** The requirement of a method: who may call it, read once from its option in the contract. */
import { create, type DescMethod, type DescService } from '@bufbuild/protobuf'
import {
  type Access,
  Access_Oneself,
  Access_Where,
  AccessSchema,
  access,
} from '../../contract/gen/signet/v1/options_pb.ts'
import type { Grant } from './call.ts'
import { messageOption } from './message-option.ts'
import type { AnyMethod } from './method.ts'
import { holdsSomewhere, isPermission } from './roles.ts'

export type Requirement =
  /** Any caller, without a token. */
  | { readonly type: 'public' }
  /** Any authenticated caller. */
  | { readonly type: 'authenticated' }
  /** The permission, in the organization of the call, on the instance, or in every organization. */
  | ({ readonly type: 'context' | 'instance' | 'every organization'; readonly permission: string } & AboutUser)
  /** The permission in the organization of the object, which the handler checks. */
  | ({
      readonly type: 'target'
      readonly permission: string
      /** Permissions that the handler asks for instead, depending on what the object is. */
      readonly alternatives: readonly string[]
      /** Whether a caller without the permission hears that there is nothing. */
      readonly isHidden: boolean
      /** Whether a caller without the permission gets an empty list. */
      readonly isFiltered: boolean
    } & AboutUser)

/** What follows from the user that a method is about. */
export interface AboutUser {
  /** The member of the message that names the user, if one does. */
  readonly about: string | undefined
  /** Whether it is about the user who calls it. */
  readonly isAboutCaller: boolean
  /** Whether callers need no permission for their own user. */
  readonly self: boolean
  /** Whether callers who act on their own user must have signed in lately. */
  readonly isFresh: boolean
}

export const ABOUT_NO_USER: AboutUser = { about: undefined, isAboutCaller: false, self: false, isFresh: false }

const WHERE = new Map<Access_Where, Extract<Requirement, { readonly permission: string }>['type']>([
  [Access_Where.CONTEXT, 'context'],
  [Access_Where.INSTANCE, 'instance'],
  [Access_Where.EVERY_ORGANIZATION, 'every organization'],
  [Access_Where.TARGET, 'target'],
])

/** Whether the grants include one of the permissions of a method anywhere. */
export function holdsAnywhere(
  grants: readonly Grant[],
  { permission, alternatives }: Extract<Requirement, { readonly type: 'target' }>,
): boolean {
  return [permission, ...alternatives].some((one) => holdsSomewhere(grants, one))
}

/** Whether the permission of a method can be one on a project. */
export function concernsProjects(requirement: Requirement): boolean {
  if (!('permission' in requirement)) return false
  const others = 'alternatives' in requirement ? requirement.alternatives : []
  return [requirement.permission, ...others].some((one) => one.startsWith('project.') || one.startsWith('user.grant.'))
}

/** Users that no field names: the one who calls, and one that does not exist yet. */
const CALLER = 'caller'
const NEW = 'new'

/** The permissions of methods that change a user. */
const CHANGES_USER = /^user\.(?!grant\.).*(?<!read)$/

/** The member that names the user that a method is about. Throws when it changes a user and does not say which. */
function aboutUserOf(method: DescMethod, { about, permission, oneself, filtered }: Access): AboutUser {
  const { fields } = method.input
  const field = fields.find(({ name, fieldKind }) => name === about && fieldKind === 'scalar')
  if (!['', CALLER, NEW].includes(about) && field === undefined) {
    throw new Error(`${fullName(method)}: about names no field of the request`)
  }
  if (about === '' && CHANGES_USER.test(permission) && fields.some(({ name }) => name === 'user_id')) {
    throw new Error(`${fullName(method)}: the contract does not say which user it is about`)
  }
  if (about === '' && oneself !== Access_Oneself.PERMISSION_AND_RECENT_SIGN_IN && !filtered) {
    throw new Error(`${fullName(method)}: oneself needs about`)
  }
  const isRecent = oneself === Access_Oneself.PERMISSION_AND_RECENT_SIGN_IN || oneself === Access_Oneself.RECENT_SIGN_IN
  return {
    isAboutCaller: about === CALLER,
    about: field?.localName,
    self: oneself === Access_Oneself.RECENT_SIGN_IN || oneself === Access_Oneself.ANY_SIGN_IN,
    isFresh: !['', NEW].includes(about) && isRecent && !permission.endsWith('.read'),
  }
}

function fullName(method: DescMethod): string {
  return `${method.parent.typeName}/${method.name}`
}

const accessOptions = new WeakMap<DescMethod, Access>()

/** The option of the contract that says who may call a method, read once. */
export function accessOf(method: DescMethod): Access {
  const known = accessOptions.get(method)
  if (known !== undefined) return known
  const option = messageOption(method, access) ?? create(AccessSchema)
  accessOptions.set(method, option)
  return option
}

/** Reads the requirement of a method. Throws when the contract does not define exactly who may call it. */
export function requirementOf(method: DescMethod): Requirement {
  const option = accessOf(method)
  const ways = [option.public, option.authenticated, option.permission !== ''].filter(Boolean).length
  if (ways !== 1) throw new Error(`${fullName(method)}: the contract does not say who may call it`)
  const where = WHERE.get(option.where)
  if (where === undefined)
    throw new Error(`${fullName(method)}: the contract names a place that this server does not know`)
  if (option.usesContext && !option.authenticated && (where !== 'target' || option.permission === '')) {
    throw new Error(`${fullName(method)}: uses_context needs a permission on the target, or a signed-in caller`)
  }
  if (option.alternatives.length > 0 && (where !== 'target' || option.permission === '')) {
    throw new Error(`${fullName(method)}: alternatives need a permission on the target`)
  }
  if (option.hidden && (where !== 'target' || option.permission === '')) {
    throw new Error(`${fullName(method)}: hidden needs a permission on the target`)
  }
  if (option.filtered && (where !== 'target' || option.permission === '')) {
    throw new Error(`${fullName(method)}: filtered needs a permission on the target`)
  }
  if (option.public) return { type: 'public' }
  if (option.authenticated) return { type: 'authenticated' }
  const { permission, alternatives, hidden: isHidden, filtered: isFiltered } = option
  for (const one of [permission, ...alternatives]) {
    if (!isPermission(one)) throw new Error(`${fullName(method)}: no role gives the permission ${one}`)
  }
  const about = aboutUserOf(method, option)
  if (where !== 'target') return { type: where, permission, ...about }
  return { type: where, permission, alternatives, isHidden, isFiltered, ...about }
}

const READS = /^(?:(?:Get|List|Search|Count|Explain)[A-Z]|Subscribe$)/

/** Whether a method changes nothing, by its name and the permission that it needs. */
export function isReading(method: DescMethod): boolean {
  const requirement = requirementOf(method)
  return READS.test(method.name) && (!('permission' in requirement) || requirement.permission.endsWith('.read'))
}

/**
 * Whether a method uses the organization of the call: because the permission is required there, or because the handler
 * falls back to it.
 */
export function usesOrganizationOfCall(method: DescMethod): boolean {
  return requirementOf(method).type === 'context' || accessOf(method).usesContext
}

/** For the start: throws, and names all methods for which the contract does not define who may call them. */
export function checkMethods(methods: readonly AnyMethod[]): void {
  const problems = methods.flatMap(({ descriptor }) => {
    try {
      requirementOf(descriptor)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** For the start: throws, naming them all, when methods of the contract's services are not implemented. */
export function checkEveryMethodIsServed(methods: readonly AnyMethod[], services: readonly DescService[]): void {
  const served = new Set<DescMethod>(methods.map(({ descriptor }) => descriptor))
  const missing = services.flatMap((service) => service.methods).filter((method) => !served.has(method))
  if (missing.length === 0) return
  throw new Error(`the contract declares methods that are not implemented: ${missing.map(fullName).join(', ')}`)
}
