/** The one-time codes of a user: three sets of rules on one stream, so that one read returns everything. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import { decideOtp, evolveOtp, type Otp, type OtpCommand } from './decisions/otp.ts'
import { decideRecovery, type RecoveryCommand, type RecoverySet } from './decisions/recovery-codes.ts'
import { decideTotp, NO_STEP, type Totp, type TotpCommand } from './decisions/totp.ts'
import type { Medium, OneTimeCodesEvent } from './events.ts'
import type { OneTimeCodeRefusal } from './refusals.ts'

export interface OneTimeCodes {
  readonly isRemoved: boolean
  readonly totp?: Totp
  readonly otp: Readonly<Partial<Record<Medium, Otp>>>
  readonly recovery?: RecoverySet
}

export type OneTimeCodesCommand = TotpCommand | OtpCommand | RecoveryCommand | { readonly type: 'remove' }

export const NO_ONE_TIME_CODES: OneTimeCodes = { isRemoved: false, otp: {} }

function withoutTotp({ totp: _, ...rest }: OneTimeCodes): OneTimeCodes {
  return rest
}
function withoutRecovery({ recovery: _, ...rest }: OneTimeCodes): OneTimeCodes {
  return rest
}

function evolve(state: OneTimeCodes, event: OneTimeCodesEvent): OneTimeCodes {
  const { totp, recovery } = state
  switch (event.type) {
    case 'totp.registered.v1':
      return { ...state, totp: { status: 'pending', lastStep: NO_STEP, secret: event.data.secret } }
    case 'totp.imported.v1':
      return { ...state, totp: { status: 'ready', lastStep: NO_STEP, secret: event.data.secret } }
    case 'totp.verified.v1':
    case 'totp.used.v1':
      return totp === undefined ? state : { ...state, totp: { ...totp, status: 'ready', lastStep: event.data.step } }
    case 'totp.resealed.v1':
      return totp === undefined ? state : { ...state, totp: { ...totp, secret: event.data.secret } }
    case 'totp.removed.v1':
      return withoutTotp(state)
    case 'otp.added.v1':
    case 'otp.removed.v1':
    case 'otp.issued.v1':
    case 'otp.used.v1': {
      const { medium } = event.data
      return { ...state, otp: { ...state.otp, [medium]: evolveOtp(event, state.otp[medium]) } }
    }
    case 'recovery_codes.generated.v1':
      return { ...state, recovery: { used: [], secret: event.data.secret } }
    case 'recovery_codes.imported.v1':
      return { ...state, recovery: { used: [], secret: { key: '', ...event.data.secret } } }
    case 'recovery_codes.used.v1':
      return recovery === undefined
        ? state
        : { ...state, recovery: { ...recovery, used: [...recovery.used, event.data.index] } }
    case 'recovery_codes.resealed.v1':
      return recovery === undefined
        ? state
        : { ...state, recovery: { ...recovery, secret: { ...recovery.secret, ...event.data.secret } } }
    case 'recovery_codes.removed.v1':
      return withoutRecovery(state)
    case 'one_time_codes.removed.v1':
      return { isRemoved: true, otp: {} }
  }
}

export const oneTimeCodesDecider: Decider<OneTimeCodesCommand, OneTimeCodes, OneTimeCodesEvent, OneTimeCodeRefusal> = {
  initial: NO_ONE_TIME_CODES,
  evolve,
  decide(command, state) {
    if (state.isRemoved) return refuse('one_time_codes.removed')
    switch (command.type) {
      case 'remove':
        return accept({ type: 'one_time_codes.removed.v1', data: {} })
      case 'add_otp':
      case 'remove_otp':
      case 'issue_otp':
      case 'use_otp':
        return decideOtp(command, state.otp[command.medium])
      case 'generate_recovery_codes':
      case 'import_recovery_codes':
      case 'use_recovery_code':
      case 'remove_recovery_codes':
      case 'reseal_recovery_codes':
        return decideRecovery(command, state.recovery)
      default:
        return decideTotp(command, state.totp)
    }
  },
}
