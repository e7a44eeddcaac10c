/** The rules of authenticator apps: one app per user, ready after its first code, and each code once. Pure. */
import { accept, type Decision, refuse } from '../../../kernel/decider.ts'
import type { OneTimeCodesEvent } from '../events.ts'
import type { OneTimeCodeRefusal } from '../refusals.ts'

export interface Totp {
  /** `pending`: the secret was shown, but no code was verified yet. */
  readonly status: 'pending' | 'ready'
  /** The newest step whose code was used. This step and earlier ones are refused (RFC 6238 §5.2). */
  readonly lastStep: number
  readonly secret: { readonly seed: string }
}

export type TotpCommand =
  | { readonly type: 'register_totp'; readonly seed: string }
  | { readonly type: 'import_totp'; readonly seed: string }
  /** Evidence: the code belonged to this step of this encrypted secret. */
  | { readonly type: 'verify_totp' | 'use_totp'; readonly step: number; readonly seed: string }
  | { readonly type: 'remove_totp' }
  | { readonly type: 'reseal_totp'; readonly before: string; readonly seed: string }

/** No step was used yet. Steps are counted from 1970. */
export const NO_STEP = -1

type TotpDecision = Decision<OneTimeCodesEvent, OneTimeCodeRefusal>

/** Decides about the app of a user. */
export function decideTotp(command: TotpCommand, totp: Totp | undefined): TotpDecision {
  switch (command.type) {
    case 'register_totp':
      return totp?.status === 'ready'
        ? refuse('totp.already_set_up')
        : accept({ type: 'totp.registered.v1', data: { secret: { seed: command.seed } } })
    case 'import_totp':
      return totp === undefined
        ? accept({ type: 'totp.imported.v1', data: { secret: { seed: command.seed } } })
        : refuse('totp.already_set_up')
    case 'verify_totp':
      if (totp?.status === 'ready') return refuse('totp.already_set_up')
      // A code of a secret that was replaced meanwhile does not verify the new one.
      if (totp?.secret.seed !== command.seed) return refuse('totp.not_set_up')
      return accept({ type: 'totp.verified.v1', data: { step: command.step } })
    case 'use_totp':
      if (totp?.status !== 'ready' || totp.secret.seed !== command.seed) return refuse('totp.not_set_up')
      return command.step > totp.lastStep
        ? accept({ type: 'totp.used.v1', data: { step: command.step } })
        : refuse('totp.code_used')
    case 'remove_totp':
      return totp === undefined ? refuse('totp.not_found') : accept({ type: 'totp.removed.v1', data: {} })
    case 'reseal_totp':
      return totp?.secret.seed === command.before
        ? accept({ type: 'totp.resealed.v1', data: { secret: { seed: command.seed } } })
        : accept()
  }
}
