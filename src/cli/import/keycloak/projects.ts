/**
 * Which project the roles and clients of a realm go to. One project takes them all, because a token of Keycloak has the
 * roles of all clients; a project holds a limited number of them, so a large realm gets further ones.
 */
import { derivedId } from '../derived-id.ts'
import type { Remark } from '../draft.ts'
import { keyOf, type Role } from './roles.ts'

/** What one project holds; see the limits of the kinds `application` and `project-role`. */
const MOST = 1_000

export interface RealmProject {
  readonly id: string
  readonly name: string
  readonly roles: readonly { readonly key: string; readonly displayName: string; readonly group: string }[]
}

interface Filling {
  applications: number
  readonly roles: Map<string, { readonly key: string; readonly displayName: string; readonly group: string }>
}

export class RealmProjects {
  readonly #realmId: string
  readonly #name: string
  readonly #filled: Filling[] = [{ applications: 0, roles: new Map() }]
  readonly #ofClient = new Map<string, number>()
  readonly #ofRole = new Map<string, number>()
  readonly remarks: Remark[] = []

  constructor(realmId: string, name: string, roles: readonly (Role & { description: string })[], clients: string[]) {
    this.#realmId = realmId
    this.#name = name
    const byClient = Map.groupBy(roles, ({ client }) => client)
    this.#addRoles(0, byClient.get('') ?? [])
    for (const client of clients) this.#place(client, byClient.get(client) ?? [], true)
    for (const [client, own] of byClient)
      if (client !== '' && !this.#ofClient.has(client)) this.#place(client, own, false)
    if (clients.length > 1)
      this.remarks.push({
        kind: 'project',
        id: this.#idAt(0),
        reason: `An access token names all applications of its project in aud (${clients.length} in this realm), not only the one that it was issued to, which is in azp: an API that refuses tokens of other clients must look at azp.`,
      })
    if (this.#filled.length > 1)
      this.remarks.push({
        kind: 'project',
        id: this.#idAt(0),
        reason: `A project holds ${MOST} applications and ${MOST} roles, so the realm becomes ${this.#filled.length} projects; applications of the others ask for the roles of this one with its scope.`,
      })
  }

  list(): readonly RealmProject[] {
    return this.#filled.map(({ roles }, index) => ({
      id: this.#idAt(index),
      name: index === 0 ? this.#name : `${this.#name} (${index + 1})`,
      roles: [...roles.values()],
    }))
  }

  projectOf(clientId: string): string {
    return this.#idAt(this.#ofClient.get(clientId) ?? 0)
  }

  /** The keys of roles by project. */
  keysOf(roles: readonly Role[]): ReadonlyMap<string, readonly string[]> {
    const keys = new Map<string, string[]>()
    for (const role of roles) {
      const index = this.#ofRole.get(keyOf(role))
      if (index === undefined) continue
      const id = this.#idAt(index)
      const known = keys.get(id)
      if (known === undefined) keys.set(id, [keyOf(role)])
      else known.push(keyOf(role))
    }
    return keys
  }

  #idAt(index: number): string {
    return derivedId('keycloak project', this.#realmId, String(index))
  }

  #place(client: string, roles: readonly (Role & { description: string })[], isApplication: boolean): void {
    const last = this.#filled.at(-1) as Filling
    const isFull = (isApplication && last.applications >= MOST) || last.roles.size + Math.min(roles.length, MOST) > MOST
    const filling = isFull ? { applications: 0, roles: new Map() } : last
    if (isFull) this.#filled.push(filling)
    if (isApplication) filling.applications++
    const index = this.#filled.length - 1
    this.#ofClient.set(client, index)
    this.#addRoles(index, roles)
  }

  #addRoles(index: number, roles: readonly (Role & { description: string })[]): void {
    const filling = this.#filled[index] as Filling
    for (const role of roles) {
      const key = keyOf(role)
      const reason = this.#ofRole.has(key)
        ? 'Another role has this key already.'
        : filling.roles.size >= MOST
          ? `A project holds ${MOST} roles.`
          : key.length > 200
            ? 'A key has at most 200 characters.'
            : undefined
      if (reason !== undefined) {
        this.remarks.push({ kind: 'role', id: key, reason })
        continue
      }
      filling.roles.set(key, {
        key,
        displayName: (role.description || role.name).slice(0, 200),
        group: role.client.slice(0, 200),
      })
      this.#ofRole.set(key, index)
    }
  }
}
