/** The v1 methods for the settings of the instance and of the organization of the call. */

import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS, languageOf } from '../../../kernel/languages.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { settings } from '../documents.ts'
import { holdingSettings } from '../effective.ts'
import { changeInstanceSettings, changeOrganizationSettings } from '../handlers/change-settings.ts'
import { settingsRefusals } from '../refusals.ts'
import { BUILT_IN_SECURITY, checkEmbeddingOrigins, securitySettings } from '../security.ts'
import { complexityOf, complexityV1, lockoutV1, settingsDetailsV1 } from './messages.ts'

function lockoutOf(message: { readonly maxPasswordAttempts: number; readonly maxOtpAttempts: number }) {
  return {
    maxPasswordAttempts: message.maxPasswordAttempts,
    maxOtpAttempts: message.maxOtpAttempts,
  }
}

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
    async getPasswordComplexityPolicy() {
      return { policy: complexityV1((await holding()).passwordComplexity, app.instanceId) }
    },
    async updatePasswordComplexityPolicy(message, { origin }) {
      const command = { type: 'set_password_complexity', manner: 'put', value: complexityOf(message) } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
    async getSecurityPolicy() {
      const { instance } = await holding()
      const { allowsEmbedding, embeddingOrigins, allowsImpersonation } = instance?.state.security ?? BUILT_IN_SECURITY
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
        return work.decide(settings, app.instanceId, { type: 'set_security', value }, app.instanceId)
      })
      return { details: writtenV1(written) }
    },
    async getLockoutPolicy() {
      return { policy: lockoutV1((await holding()).lockout, app.instanceId) }
    },
    async updateLockoutPolicy(message, { origin }) {
      const command = { type: 'set_lockout', manner: 'put', value: lockoutOf(message) } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
  })
}

function managementMethods(app: App): readonly Method[] {
  return methods(ManagementService, {
    async getPasswordComplexityPolicy(_, call) {
      const { passwordComplexity } = await holdingSettings(app, call.organizationId)
      const policy = complexityV1(passwordComplexity, app.instanceId)
      return { policy, isDefault: policy.isDefault === true }
    },
    async addCustomPasswordComplexityPolicy(message, call) {
      const command = { type: 'set_password_complexity', manner: 'add', value: complexityOf(message) } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
    async updateCustomPasswordComplexityPolicy(message, call) {
      const command = { type: 'set_password_complexity', manner: 'change', value: complexityOf(message) } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
    async resetPasswordComplexityPolicyToDefault(_, call) {
      const command = { type: 'reset_password_complexity' } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
    async getLockoutPolicy(_, call) {
      const { lockout } = await holdingSettings(app, call.organizationId)
      const policy = lockoutV1(lockout, app.instanceId)
      return { policy, isDefault: policy.isDefault === true }
    },
    async addCustomLockoutPolicy(message, call) {
      const command = { type: 'set_lockout', manner: 'add', value: lockoutOf(message) } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
    async updateCustomLockoutPolicy(message, call) {
      const command = { type: 'set_lockout', manner: 'change', value: lockoutOf(message) } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
    async resetLockoutPolicyToDefault(_, call) {
      const command = { type: 'reset_lockout' } as const
      return { details: writtenV1(await changeOrganizationSettings(app, call, call.organizationId, command)) }
    },
  })
}

/** The v1 methods of this module. */
export function settingsMethodsV1(app: App): readonly Method[] {
  return [...adminMethods(app), ...managementMethods(app)]
}
