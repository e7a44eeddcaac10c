/** The v1 methods for languages and for the security of the instance. */

import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS, languageOf } from '../../../kernel/languages.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { holdingSettings } from '../effective.ts'
import { changeInstanceSettings, decideSettings } from '../handlers/change-settings.ts'
import { settingsRefusals } from '../refusals.ts'
import { checkEmbeddingOrigins, securitySettings } from '../security.ts'
import { settingsDetailsV1 } from './details.ts'

function checkLanguage(language: string): void {
  if (languageOf(language) === language) return
  const violations = [{ field: 'language', description: `must be one of ${LANGUAGE_TAGS.join(', ')}` }]
  throw refused(settingsRefusals, 'settings.language_unsupported', { violations })
}

function adminMethods(app: App): readonly Method[] {
  const holding = () => holdingSettings(app, app.instanceId)
  return methods(AdminService, {
    async getSupportedLanguages() {
      return { languages: [...LANGUAGE_TAGS] }
    },
    async getDefaultLanguage() {
      return { language: (await holding()).defaultLanguage }
    },
    async setDefaultLanguage({ language }, { origin }) {
      checkLanguage(language)
      const written = await changeInstanceSettings(app, origin, { type: 'set_default_language', language })
      return { details: writtenV1(written) }
    },
    async getSecurityPolicy() {
      const { instance, security } = await holding()
      const { allowsEmbedding, embeddingOrigins, allowsImpersonation } = security.value
      const policy = {
        details: settingsDetailsV1(instance, app.instanceId),
        enableIframeEmbedding: allowsEmbedding,
        allowedOrigins: [...embeddingOrigins],
        enableImpersonation: allowsImpersonation,
      }
      return { policy }
    },
    async setSecurityPolicy({ enableIframeEmbedding, allowedOrigins, enableImpersonation }, { origin }) {
      checkEmbeddingOrigins(allowedOrigins, 'allowedOrigins')
      const written = await app.store.write(origin, async (work) => {
        const value = {
          ...(await securitySettings(app, work)),
          allowsEmbedding: enableIframeEmbedding,
          embeddingOrigins: allowedOrigins,
          allowsImpersonation: enableImpersonation,
        }
        return decideSettings(work, app.instanceId, { type: 'set', section: 'security', manner: 'put', value })
      })
      return { details: writtenV1(written) }
    },
  })
}

/** The v1 methods of this module. */
export function settingsMethodsV1(app: App): readonly Method[] {
  return adminMethods(app)
}
