/** The v1 methods for languages. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS, languageOf } from '../../../kernel/languages.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { allowedLanguages, holdingSettings } from '../effective.ts'
import { settingsRefusals } from '../refusals.ts'
import { settingsDetailsV1 } from './details.ts'
import { changes } from './policies.ts'

function checkLanguage(language: string): void {
  if (languageOf(language) === language) return
  const violations = [{ field: 'language', description: `must be one of ${LANGUAGE_TAGS.join(', ')}` }]
  throw refused(settingsRefusals, 'settings.language_unsupported', { violations })
}

/** The v1 methods for languages. */
export function languageMethods(app: App): readonly Method[] {
  const change = changes(app)
  const holding = () => holdingSettings(app, app.instanceId)
  const getSupportedLanguages = async () => ({ languages: [...LANGUAGE_TAGS] })
  return [
    ...methods(AuthService, { getSupportedLanguages }),
    ...methods(ManagementService, { getSupportedLanguages }),
    ...methods(AdminService, {
      getSupportedLanguages,
      getAllowedLanguages: async () => ({ languages: [...(await allowedLanguages(app))] }),
      getDefaultLanguage: async () => ({ language: (await holding()).defaultLanguage }),
      async setDefaultLanguage({ language }, call) {
        checkLanguage(language)
        return change(call, { type: 'set_default_language', language })
      },
      async getRestrictions() {
        const { allowedLanguages, instance } = await holding()
        return {
          details: settingsDetailsV1(instance, app.instanceId),
          disallowPublicOrgRegistration: true,
          allowedLanguages: [...allowedLanguages],
        }
      },
      async setRestrictions({ disallowPublicOrgRegistration, allowedLanguages }, call) {
        if (disallowPublicOrgRegistration === false) throw refused(settingsRefusals, 'settings.registration_closed')
        if (allowedLanguages !== undefined) {
          return change(call, { type: 'allow_languages', languages: [...allowedLanguages.list] })
        }
        return { details: settingsDetailsV1((await holding()).instance, app.instanceId) }
      },
    }),
  ]
}
