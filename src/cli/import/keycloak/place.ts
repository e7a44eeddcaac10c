/** Where the objects of a realm belong here, and what their readers share. */
import type { Instant } from '../../../kernel/instant.ts'
import type { AnyDraft, Remark } from '../draft.ts'

/** What a realm becomes: an organization of an instance, or the whole instance. */
export type RealmTarget = 'organization' | 'instance'

export interface RealmPlace {
  readonly realmId: string
  /** The host for which passkeys were made, where the realm does not say it; undefined: unknown. */
  readonly host: string | undefined
  readonly target: RealmTarget
  readonly exportedAt: Instant
}

export type Read = AnyDraft | { readonly remark: Remark }

export function remark(kind: string, id: string, reason: string): { readonly remark: Remark } {
  return { remark: { kind, id, reason } }
}

/** Whose settings and identity providers those of the realm become: empty for the instance. */
export function ownerOf({ target, realmId }: RealmPlace): string {
  return target === 'instance' ? '' : realmId
}

/** The dates of what has none in the export. */
export function undated({ exportedAt }: RealmPlace) {
  return { createdAt: exportedAt, changedAt: exportedAt } as const
}
