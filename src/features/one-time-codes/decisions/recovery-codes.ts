/** The rules of recovery codes: one set at a time, and each code once. Pure. */
import { accept, type Decision, refuse } from '../../../kernel/decider.ts'
import type { OneTimeCodesEvent } from '../events.ts'
import type { OneTimeCodeRefusal } from '../refusals.ts'

export interface RecoverySet {
  /** Positions of the codes that were used. */
  readonly used: readonly number[]
  /** An empty key: hashes of another product, which need none. */
  readonly secret: { readonly key: string; readonly hashes: readonly string[] }
}

export type RecoveryCommand =
  | { readonly type: 'generate_recovery_codes'; readonly key: string; readonly hashes: readonly string[] }
  | { readonly type: 'import_recovery_codes'; readonly hashes: readonly string[] }
  /** Evidence: the code at this position of the set with this key was presented. */
  | { readonly type: 'use_recovery_code'; readonly index: number; readonly key: string }
  | { readonly type: 'remove_recovery_codes' }
  | { readonly type: 'reseal_recovery_codes'; readonly before: string; readonly key: string }

/** How many codes of a set are left. */
export function codesLeft({ used, secret }: RecoverySet): number {
  return secret.hashes.length - used.length
}

/** Decides about the recovery codes of a user. */
export function decideRecovery(
  command: RecoveryCommand,
  set: RecoverySet | undefined,
): Decision<OneTimeCodesEvent, OneTimeCodeRefusal> {
  switch (command.type) {
    case 'generate_recovery_codes': {
      const { key, hashes } = command
      return accept({ type: 'recovery_codes.generated.v1', data: { count: hashes.length, secret: { key, hashes } } })
    }
    case 'import_recovery_codes': {
      const { hashes } = command
      return accept({ type: 'recovery_codes.imported.v1', data: { count: hashes.length, secret: { hashes } } })
    }
    case 'use_recovery_code': {
      const { index, key } = command
      if (set?.secret.key !== key) return refuse('recovery_codes.not_set_up')
      return set.used.includes(index)
        ? refuse('recovery_codes.code_used')
        : accept({ type: 'recovery_codes.used.v1', data: { index } })
    }
    case 'remove_recovery_codes':
      return set === undefined ? accept() : accept({ type: 'recovery_codes.removed.v1', data: {} })
    case 'reseal_recovery_codes':
      return set?.secret.key === command.before
        ? accept({ type: 'recovery_codes.resealed.v1', data: { secret: { key: command.key } } })
        : accept()
  }
}
