/** What readers of other products share. */
import type { Instant } from '../../kernel/instant.ts'
import type { AnyDraft, Remark } from './draft.ts'

/** What a reader yields. */
export type Read = AnyDraft | { readonly remark: Remark }

/** How such a remark begins. */
export const NOT_ACTIVE = 'It is not active. '

export function remark(kind: string, id: string, reason: string): { readonly remark: Remark } {
  return { remark: { kind, id, reason } }
}

/** Why something is not active here that may be active in the source. The report begins with these. */
export function inactive(kind: string, id: string, because: string) {
  return remark(kind, id, `${NOT_ACTIVE}${because}`)
}

/** The dates of what has none in the source: when its files were written. */
export function undated({ exportedAt }: { readonly exportedAt: Instant }) {
  return { createdAt: exportedAt, changedAt: exportedAt } as const
}

/** A user has an address here. One that leads nowhere (RFC 2606) stands for none, and is not verified. */
export function noEmail(userId: string) {
  return { address: `${userId.replaceAll(/[^A-Za-z0-9-]/g, '-')}@no-email.invalid`, isVerified: false } as const
}

export const NO_EMAIL = 'The user has no email address: one that leads nowhere stands for it.'
