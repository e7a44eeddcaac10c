/**
 * The groups of a realm. Groups contain no groups here, so each is called by its whole path, and has the roles of the groups
 * above, too.
 */
import { nameKey } from '../../../kernel/name.ts'
import { derivedId } from '../derived-id.ts'
import type { Remark } from '../draft.ts'
import type { Members } from '../json/members.ts'
import type { RealmPlace } from './place.ts'

/** The longest name that a group has here. */
const LONGEST_NAME = 200

export interface RealmGroup {
  readonly id: string
  readonly path: string
  readonly name: string
  readonly description: string
  /** The group itself and those above it: its members have the roles of all of them. */
  readonly holders: readonly Members[]
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

export class RealmGroups {
  readonly #place: RealmPlace
  readonly #byPath = new Map<string, RealmGroup[]>()
  readonly #names = new Set<string>()
  readonly remarks: Remark[] = []

  constructor(realm: Members, place: RealmPlace) {
    this.#place = place
    for (const group of realm.list('groups')) this.#add(group, '', [])
    for (const [path, groups] of this.#byPath) {
      if (groups.length > 1)
        this.#remark(path, `${groups.length} groups have this path: the export does not say who is in which of them.`)
    }
    const defaults = realm.texts('defaultGroups')
    if (defaults.length > 0) this.#remark(defaults.join(', '), 'New users do not join default groups here.')
  }

  list(): readonly RealmGroup[] {
    return [...this.#byPath.values()].flat()
  }

  /** The groups that a user is in; none of those that share a path. */
  of(user: Members): readonly RealmGroup[] {
    return user.texts('groups').flatMap((path) => {
      const found = this.#byPath.get(path)
      if (found === undefined) throw user.wrong('groups', `a list of groups of the realm, and ${path} is none`)
      return found.length === 1 ? found : []
    })
  }

  #add(group: Members, above: string, parents: readonly Members[]): void {
    const path = group.maybeText('path') ?? `${above}/${group.text('name')}`
    const holders = [...parents, group]
    const known = this.#byPath.get(path) ?? []
    known.push({
      id: group.maybeText('id') || derivedId('keycloak group', this.#place.realmId, path, String(known.length)),
      path,
      name: this.#nameFor(path),
      description: group.maybeText('description') ?? '',
      holders,
      attributes: group.textsByName('attributes'),
    })
    this.#byPath.set(path, known)
    for (const inner of group.list('subGroups')) this.#add(inner, path, holders)
  }

  /** The end of the path says most. */
  #nameFor(path: string): string {
    const whole = path.replace(/^\//, '')
    const base = whole.length > LONGEST_NAME ? `…${whole.slice(1 - LONGEST_NAME)}` : whole
    let name = base
    for (let number = 2; this.#names.has(nameKey(name)); number++) {
      const suffix = ` (${number})`
      name = `${base.slice(0, LONGEST_NAME - suffix.length)}${suffix}`
    }
    this.#names.add(nameKey(name))
    if (name !== whole) this.#remark(path, `It is called “${name}” here.`)
    return name
  }

  #remark(id: string, reason: string): void {
    this.remarks.push({ kind: 'group', id, reason })
  }
}
