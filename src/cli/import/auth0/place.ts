/** Where the objects of a tenant belong here. */
import type { Instant } from '../../../kernel/instant.ts'

export interface TenantPlace {
  readonly organizationId: string
  readonly projectId: string
  /** When the files were written: the date of whatever has none of its own. */
  readonly exportedAt: Instant
}
