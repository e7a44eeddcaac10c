/** Where the objects of a realm belong here, and what their readers share. */
import type { Instant } from '../../../kernel/instant.ts'

/** What a realm becomes: an organization of an instance, or the whole instance. */
export type RealmTarget = 'organization' | 'instance'

export interface RealmPlace {
  readonly realmId: string
  /** The host for which passkeys were made, where the realm does not say it; undefined: unknown. */
  readonly host: string | undefined
  readonly target: RealmTarget
  readonly exportedAt: Instant
}

/** Whose settings and identity providers those of the realm become: empty for the instance. */
export function ownerOf({ target, realmId }: RealmPlace): string {
  return target === 'instance' ? '' : realmId
}
