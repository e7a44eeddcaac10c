/** The methods of the SettingsService that a login app reads: its look, its links and its texts. */
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { etagOf, findTranslation, setTranslation } from '../translations.ts'
import { settingsDetailsV2 } from './messages.ts'
import { brandingV2, expiryV2, legalV2 } from './messages-appearance.ts'
import { holdingFor } from './requested-settings.ts'

/** The v2 methods for login apps. */
export function appearanceMethodsV2(app: App): readonly Method[] {
  const { instanceId } = app
  return methods(SettingsService, {
    async getPasswordExpirySettings({ ctx }, call) {
      const { passwordExpiry } = await holdingFor(app, ctx, call)
      return {
        details: settingsDetailsV2(passwordExpiry.from, instanceId),
        settings: expiryV2(passwordExpiry, instanceId),
      }
    },
    async getBrandingSettings({ ctx }, call) {
      const { branding } = await holdingFor(app, ctx, call)
      return { details: settingsDetailsV2(branding.from, instanceId), settings: brandingV2(branding, app) }
    },
    async getLegalAndSupportSettings({ ctx }, call) {
      const { legal } = await holdingFor(app, ctx, call)
      return { details: settingsDetailsV2(legal.from, instanceId), settings: legalV2(legal, instanceId) }
    },
    async getHostedLoginTranslation({ level, locale, ignoreInheritance }) {
      const owner = level.case === 'organizationId' ? level.value : instanceId
      if (owner !== instanceId) await requireOrganization(app, owner)
      const texts = level.case === 'system' ? {} : await findTranslation(app, owner, locale, ignoreInheritance)
      return { etag: etagOf(texts), translations: texts }
    },
    async setHostedLoginTranslation({ level, locale, translations = {} }, { origin }) {
      const owner = level.case === 'organizationId' ? level.value : instanceId
      await setTranslation(app, origin, owner, { locale, translations })
      return { etag: etagOf(translations) }
    },
  })
}
