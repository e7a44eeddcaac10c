/** Reads the pagination of list requests. */
import { type Catalogue, refused } from '../kernel/refusal.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** No list is this long; pages beyond it are empty. */
const MAX_OFFSET = 2 ** 40

/** The three fields of all pagination messages. */
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

/** Returns the limit of a page, or the default for 0. Refuses a limit that is too large and names the field. */
export function limitOf(limit: number, field: string): number {
  if (limit > MAX_LIMIT) {
    const violations = [{ field, description: `must not be greater than ${MAX_LIMIT}` }]
    throw refused(pagingRefusals, 'list.limit_too_large', { violations })
  }
  return limit === 0 ? DEFAULT_LIMIT : limit
}

/**
 * Reads a pagination message; `field` is its name in the request. Without one, returns the first page in descending
 * order.
 */
export function pageOf(message: PageMessage | undefined, field: string): PageRequest {
  return {
    offset: Math.min(Number(message?.offset ?? 0n), MAX_OFFSET),
    limit: limitOf(message?.limit ?? 0, `${field}.limit`),
    descending: message?.asc !== true,
  }
}
