/** What the checks of a session are worth now: whether its token can stand for its user. Pure. */
import type { Instant } from '../../kernel/instant.ts'
import { type LoginSettings, needsSecondFactor } from '../settings/index.ts'
import type { OpenSession } from './state.ts'

export interface Standing {
  /** The youngest first factor that still counts; undefined when there is none. */
  readonly authenticatedAt: Instant | undefined
  /** Whether everything that still counts was proven elsewhere, by an identity provider. */
  readonly isExternal: boolean
  /** A second factor that still counts, or a passkey, which is two at once. */
  readonly hasSecondFactor: boolean
}

const FRESH_UNTIL = {
  password: 'passwordLifetimeMs',
  intent: 'externalLifetimeMs',
  second: 'secondFactorLifetimeMs',
  multi: 'multiFactorLifetimeMs',
} as const

/** Weighs the factors of a session by the lifetimes of the login settings. */
export function standingOf({ factors }: OpenSession, login: LoginSettings, at: Instant): Standing {
  const fresh = (checkedAt: Instant | undefined, kind: keyof typeof FRESH_UNTIL): Instant | undefined => {
    const lifetime = login[FRESH_UNTIL[kind]]
    // 0 is no limit.
    return checkedAt !== undefined && (lifetime === 0 || at < checkedAt + lifetime) ? checkedAt : undefined
  }
  const { password, intent, webAuthN, totp, otpSms, otpEmail, recoveryCode } = factors
  // A key that is only a second factor proves nothing alone.
  const passkey = webAuthN?.use === 'passkey' ? fresh(webAuthN.checkedAt, 'multi') : undefined
  const key = webAuthN?.use === 'second_factor' ? fresh(webAuthN.checkedAt, 'second') : undefined
  const external = fresh(intent, 'intent')
  const local = [fresh(password, 'password'), passkey].filter((one) => one !== undefined)
  const first = external === undefined ? local : [...local, external]
  const second = [totp, otpSms, otpEmail, recoveryCode].some((one) => fresh(one, 'second') !== undefined)
  const isTwoAtOnce =
    passkey !== undefined && webAuthN?.userVerified === true && login.multiFactors.includes('u2f_with_verification')
  return {
    authenticatedAt: first.length === 0 ? undefined : (Math.max(...first) as Instant),
    isExternal: local.length === 0 && external !== undefined,
    hasSecondFactor: second || key !== undefined || isTwoAtOnce,
  }
}

/** Whether the organization asks for a second factor of whoever stands like this. */
export function asksForSecondFactor(login: LoginSettings, { isExternal }: Standing): boolean {
  return needsSecondFactor(login, isExternal ? 'elsewhere' : 'here')
}
