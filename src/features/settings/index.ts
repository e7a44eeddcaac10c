/**
 * Settings: the settings of the instance and of organizations for passwords, lockout, sign-in, identity providers,
 * usernames, language and security, and the settings that apply.
 */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { settings } from './documents.ts'
import { removeSettingsOf } from './handlers/change-settings.ts'
import { forgetProvider } from './handlers/choose-provider.ts'
import { pageTexts, resetPageTextsOf } from './page-texts/page-texts.ts'
import { settingsRefusals } from './refusals.ts'
import { fixedMethods } from './rpc/fixed-methods.ts'
import { generatorMethods } from './rpc/generator-methods.ts'
import { languageMethods } from './rpc/language-methods.ts'
import { appearanceMethodsV1 } from './rpc/rpc-v1-appearance.ts'
import { settingsMethodsV2 } from './rpc/rpc-v2.ts'
import { appearanceMethodsV2 } from './rpc/rpc-v2-appearance.ts'
import { featureMethods } from './rpc/rpc-v2-features.ts'
import { linkMethods } from './rpc/rpc-v2-links.ts'
import { pageTextMethods } from './rpc/rpc-v2-page-texts.ts'
import { sectionMethods } from './rpc/sections.ts'
import { loginTranslations, removeTranslationsOf } from './translations.ts'

export const settingsModule = module({
  name: 'settings',
  kinds: [...within('settings', settings), ...within('text', loginTranslations, pageTexts)],
  refusals: settingsRefusals,
  methods: (app) => [
    ...sectionMethods(app),
    ...languageMethods(app),
    ...generatorMethods(app),
    ...fixedMethods(app),
    ...appearanceMethodsV1(app),
    ...settingsMethodsV2(app),
    ...appearanceMethodsV2(app),
    ...linkMethods(app),
    ...featureMethods(app),
    ...pageTextMethods(app),
  ],
  whenOrganizationRemoved: async (app, id, origin, limit) =>
    (await removeSettingsOf(app, id, origin)) ||
    (await removeTranslationsOf(app, id, origin, limit)) ||
    resetPageTextsOf(app, id, origin, limit),
  whenProviderRemoved: forgetProvider,
})

export { type Brand, brandForUser, readBrand } from './brand/brand.ts'
export {
  type CarriedSections,
  describeSettings,
  type ImportedSettings,
  importSettings,
  type ResettableSection,
  resetImported,
} from './carried.ts'
export type { Settings } from './decider.ts'
export { settings } from './documents.ts'
export {
  allowedLanguages,
  type EffectiveSettings,
  effectiveSettings,
  generatorOf,
  legalLinks,
  settingsLevel,
  settingsOfUser,
  tellsPasswordChange,
} from './effective.ts'
export { loginUi } from './feature-flags.ts'
export { isOfDigits } from './generators.ts'
export { changeBrandAsset } from './handlers/change-brand-asset.ts'
export { importNameScope } from './handlers/change-settings.ts'
export { chooseProvider, isWithheld, restoreProviderChoices } from './handlers/choose-provider.ts'
export {
  importBrandAsset,
  importPageTexts,
  importTranslation,
  resetTranslation,
} from './handlers/import-texts.ts'
export { assertionIssuer, assertionPartner, issuesAssertions } from './identity-assertions.ts'
export { longestTokenLifetime, oidcLifetimes } from './lifetimes.ts'
export {
  BUILT_IN_LOGIN,
  isEmailLoginAllowed,
  isPasswordResetAllowed,
  needsSecondFactor,
} from './login.ts'
export { PAGE_TEXTS, valueOfPlace } from './page-texts/catalogue.ts'
export { type CustomTexts, customTexts, pageTexts } from './page-texts/page-texts.ts'
export { MOST_WITHHELD } from './providers.ts'
export { addLoginPolicyV1, loginPolicyV1 } from './rpc/login-methods.ts'
export { effectiveLinks } from './rpc/rpc-v2-links.ts'
export { DEFAULT_REGISTRATIONS_PER_HOUR, embeddingOrigins, securitySettings } from './security.ts'
export { loginTranslations } from './translations.ts'
export type {
  BrandingSlot,
  FeatureFlags,
  LegalLinks,
  LoginSettings,
  PasswordComplexity,
  SecuritySettings,
} from './values.ts'
