/** The front of this room: all that others may know about settings. */
import type { Method } from '../../access/method.ts'
import { loginMethodsV1 } from './login-rpc.ts'
import type { SettingsNeeds } from './needs.ts'
import { settingsMethodsV1 } from './rpc-v1.ts'
import { settingsMethodsV2 } from './rpc-v2.ts'

export { chooseProviderIn, forgetProvider, sweepSettings } from './changes.ts'
export type { Settings, SettingsCommand } from './decider.ts'
export { settings } from './documents.ts'
export {
  BUILT_IN_LOCKOUT,
  BUILT_IN_PASSWORD_COMPLEXITY,
  type EffectiveSettings,
  effectiveSettings,
  HARD_CAP_OF_ATTEMPTS,
} from './effective.ts'
export type {
  AllowedMultiFactor,
  AllowedSecondFactor,
  Lockout,
  LoginSettings,
  PasswordComplexity,
  SettingsEvent,
} from './events.ts'
export { findLanguage, type Language, SUPPORTED_LANGUAGES } from './languages.ts'
export { BUILT_IN_LOGIN, needsSecondFactor } from './login.ts'
export type { SettingsNeeds } from './needs.ts'
export { MOST_WITHHELD } from './providers.ts'
export { type SettingsRefusal, settingsRefusals } from './refusals.ts'

/** The methods of this room. */
export function settingsMethods(needs: SettingsNeeds): readonly Method[] {
  return [...settingsMethodsV1(needs), ...loginMethodsV1(needs), ...settingsMethodsV2(needs)]
}
