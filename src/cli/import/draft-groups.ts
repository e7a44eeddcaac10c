/** Drafts of groups, and of what actions call. */
import type { ImportedExecution } from '../../features/executions/index.ts'
import type { ImportedTarget } from '../../features/targets/index.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Draft } from '../../module/carried.ts'

/** Users of one organization who get roles together. */
export interface GroupDraft extends Draft<'group'> {
  readonly name: string
  readonly description: string
}

export interface GroupMemberDraft extends Draft<'group-member'> {
  readonly groupId: string
  readonly userId: string
  readonly addedAt: Instant
}

/** An HTTP endpoint that actions call. */
export interface TargetDraft extends Draft<'target'>, Pick<ImportedTarget, 'settings' | 'publicKeys'> {
  /** The key that signs what is sent there. */
  readonly signingKey?: string
}

/** Which targets are called when. The ID is a condition, or that of the instance if all of them are in one draft. */
export interface ExecutionsDraft extends Draft<'executions'> {
  readonly executions: readonly ImportedExecution[]
}
