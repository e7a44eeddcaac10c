/** What readers of other products share. */
import type { Instant } from '../../kernel/instant.ts'
import type { AnyDraft, Remark } from './draft.ts'

/** What a reader yields. */
export type Read = AnyDraft | { readonly remark: Remark }

export function remark(kind: string, id: string, reason: string): { readonly remark: Remark } {
  return { remark: { kind, id, reason } }
}

/** The dates of what has none in the source: when its files were written. */
export function undated({ exportedAt }: { readonly exportedAt: Instant }) {
  return { createdAt: exportedAt, changedAt: exportedAt } as const
}
