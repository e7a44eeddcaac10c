/** What a request does with the members of a group, without reading those that it does not name. */
import { findPath } from '../attributes.ts'
import { ScimError } from '../errors.ts'
import { parsePath, type ScimFilter } from '../filter/parse.ts'
import type { Operations } from '../resources.ts'
import { isList, isObject, isUnset, type Json, member, memberInAnyCase, type Resource } from '../values.ts'
import { GROUP, MOST_NAMED } from './schema.ts'

/** What becomes of the members. */
export interface MemberPlan {
  /** Everybody else leaves; undefined: they stay. */
  readonly only: ReadonlySet<string> | undefined
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

function invalidMember(description: string): ScimError {
  return new ScimError(400, `members: ${description}`, 'invalidValue')
}

/** The ID of a member: its value or, without one, the end of its address. */
function idOf(given: Json): string {
  const part = (name: string) => (isObject(given) ? memberInAnyCase(given, name) : undefined)
  const reference = part('$ref')
  const ofReference = typeof reference === 'string' ? reference.split('/').at(-1) : undefined
  const value = typeof given === 'string' ? given : part('value')
  const id = isUnset(value) ? ofReference : value
  if (typeof id !== 'string' || id === '' || id.length > 200) {
    throw invalidMember('each must have the ID of a user as its value')
  }
  const type = part('type')
  if (typeof type === 'string' && type.toLowerCase() === 'group') throw invalidMember('groups contain no groups')
  return id
}

function memberIdsIn(value: Json | undefined): readonly string[] {
  const list = isList(value) ? value : isUnset(value) ? [] : [value]
  return list.map(idOf)
}

/** The IDs that `value eq "x" or value eq "y"` names; throws for every other filter. */
function namedBy(filter: ScimFilter): readonly string[] {
  if (filter.type === 'or') return filter.filters.flatMap(namedBy)
  const isValue = filter.type === 'compare' && filter.path.toLowerCase() === 'value' && filter.operator === 'eq'
  if (isValue && typeof filter.value === 'string') return [filter.value]
  throw new ScimError(400, 'Members are named by members[value eq "…"].', 'invalidPath')
}

class Plan implements MemberPlan {
  only: Set<string> | undefined
  readonly added = new Set<string>()
  readonly removed = new Set<string>()

  apply(op: 'add' | 'replace' | 'remove', path: string, value: Json | undefined): void {
    const { path: name, filter, part } = parsePath(path)
    const partName = part ?? findPath(GROUP, name)?.part?.name ?? 'value'
    if (partName !== 'value' || (filter !== undefined && op === 'replace')) {
      throw new ScimError(400, `${path} cannot be changed.`, 'mutability')
    }
    const named = filter === undefined ? memberIdsIn(value) : namedBy(filter)
    const isEverybody = filter === undefined && (value === undefined || value === null)
    if (op === 'replace' || (op === 'remove' && isEverybody)) this.#keepOnly(named)
    else for (const id of named) op === 'remove' ? this.#remove(id) : this.#add(id)
    if (this.added.size + this.removed.size > MOST_NAMED) {
      throw new ScimError(413, `members: at most ${MOST_NAMED} in one request`, 'tooMany')
    }
  }

  #keepOnly(ids: readonly string[]): void {
    this.only = new Set(ids)
    this.added.clear()
    this.removed.clear()
    for (const id of ids) this.added.add(id)
  }

  #add(id: string): void {
    this.removed.delete(id)
    this.added.add(id)
    this.only?.add(id)
  }

  #remove(id: string): void {
    this.added.delete(id)
    this.only?.delete(id)
    this.removed.add(id)
  }
}

function isMembers(path: string): boolean {
  return findPath(GROUP, path.split('[')[0] ?? '')?.attribute?.name === 'members'
}

/** Parts a PATCH into what it does with members and what else it does. */
export function partPatch(operations: Operations): { readonly members: MemberPlan; readonly others: Operations } {
  const members = new Plan()
  const others = operations.flatMap((operation) => {
    const { op, path, value } = operation
    if (path !== undefined) {
      if (!isMembers(path)) return [operation]
      members.apply(op, path, value)
      return []
    }
    // Without a path, each member of the value is one.
    if (!isObject(value) || op === 'remove') return [operation]
    for (const name of Object.keys(value)) if (isMembers(name)) members.apply(op, name, value[name])
    return [{ ...operation, value: Object.fromEntries(Object.entries(value).filter(([name]) => !isMembers(name))) }]
  })
  return { members, others }
}

/** What POST and PUT do with members: if they do not name the attribute, everybody stays. */
export function plannedIn(resource: Resource): MemberPlan {
  const members = new Plan()
  const given = member(resource, 'members')
  if (given !== undefined) members.apply('replace', 'members', given)
  return members
}
