/** The methods of the SettingsService for the texts of a login app. */
import { SettingsService } from '../../../../contract/gen/signet/settings/v2/settings_service_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { etagOf, findTranslation, setTranslation } from '../translations.ts'

/** The v2 methods for login apps. */
export function appearanceMethodsV2(app: App): readonly Method[] {
  const { instanceId } = app
  return methods(SettingsService, {
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
