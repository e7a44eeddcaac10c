/** What readers of other products share. */
import type { Todo } from '../../kernel/import-report.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { AnyDraft, Remark } from './draft.ts'

/** What a reader yields. */
export type Read = AnyDraft | { readonly remark: Remark }

/** The pages of the console where something is decided about an object. */
export const PAGES = {
  provider: (id: string) => `/identity-providers/${encodeURIComponent(id)}`,
  providers: '/identity-providers',
  application: (projectId: string, id: string) =>
    `/projects/${encodeURIComponent(projectId)}/applications/${encodeURIComponent(id)}`,
  user: (id: string) => `/users/${encodeURIComponent(id)}`,
  signIn: '/sign-in',
  mail: '/mail',
} as const

export function remark(kind: string, id: string, reason: string): { readonly remark: Remark } {
  return { remark: { kind, id, reason } }
}

/** What an administrator must decide before people sign in. The report begins with these. */
export function toDecide(todo: Todo, page: string, kind: string, id: string, reason: string) {
  return { remark: { kind, id, reason, toDecide: { todo, page } } } as const
}

/** Why something is not active here that may be active in the source. */
export function inactive(page: string, kind: string, id: string, because: string) {
  return toDecide('activate', page, kind, id, `It is not active. ${because}`)
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
