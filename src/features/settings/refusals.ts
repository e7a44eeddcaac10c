/** Every "no" about settings. */
import type { Catalogue } from '../../kernel/refusal.ts'

export const settingsRefusals = {
  'settings.exists': ['conflict', 'The organization already has its own rules here; change them.'],
  'settings.no_own': ['not_found', 'The organization has no rules of its own here.'],
  'settings.unchanged': ['precondition', 'Nothing would change.'],
  'settings.language_unsupported': ['invalid', 'This language is not supported.'],
  'settings.removed': ['not_found', 'There is no such organization.'],
} as const satisfies Catalogue

/** A code of this room. */
export type SettingsRefusal = keyof typeof settingsRefusals
