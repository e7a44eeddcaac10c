/** Which part of a list is wanted, as every list method of the contract asks for it. */
import { type Catalogue, refused } from '../kernel/refusal.ts'

export const DEFAULT_LIMIT = 100
export const MAX_LIMIT = 1000

/** No list is that long: beyond it every page is empty. */
const MAX_OFFSET = 2 ** 40

/** The three members that every paging message has. */
interface PageMessage {
  readonly offset: bigint
  readonly limit: number
  readonly asc: boolean
}

export interface PageRequest {
  readonly offset: number
  readonly limit: number
  readonly descending: boolean
}

const pagingRefusals = {
  'list.limit_too_large': ['invalid', `At most ${MAX_LIMIT} results can be requested at once.`],
} as const satisfies Catalogue

/** The limit to use: the default when none is asked for; refused, with the field's name, when it is too large. */
export function limitOf(limit: number, field: string): number {
  if (limit > MAX_LIMIT) {
    const violations = [{ field, description: `must not be greater than ${MAX_LIMIT}` }]
    throw refused(pagingRefusals, 'list.limit_too_large', { violations })
  }
  return limit === 0 ? DEFAULT_LIMIT : limit
}

/** Reads a paging message; `field` is its name in the request. Without one: the first page, newest or highest first. */
export function pageOf(message: PageMessage | undefined, field: string): PageRequest {
  return {
    offset: Math.min(Number(message?.offset ?? 0n), MAX_OFFSET),
    limit: limitOf(message?.limit ?? 0, `${field}.limit`),
    descending: message?.asc !== true,
  }
}
