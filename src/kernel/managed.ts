/** The mark of what a directory feeds in. */
import type { Instant } from './instant.ts'

export interface Management {
  /** The user whose token the directory calls with. */
  readonly directoryId: string
  readonly since: Instant
}

/** Evidence of a command: the directory itself gives it, or the organization allows others to change what is managed. */
export interface DirectoryOverride {
  readonly overridesDirectory?: true
}
