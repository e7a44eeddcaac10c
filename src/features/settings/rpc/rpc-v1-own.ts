/** The v1 methods that read the policies which apply to the caller, the defaults, and those that cannot be changed. */

import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS } from '../../../kernel/languages.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { allowedLanguages, holdingSettings } from '../effective.ts'
import { complexityV1, lockoutV1, settingsDetailsV1 } from './messages.ts'
import { ageV1, labelV1, privacyV1 } from './messages-appearance.ts'
import { loginV1 } from './messages-login.ts'

async function languages() {
  return { languages: [...LANGUAGE_TAGS] }
}

/** A login name is the username alone, and a domain takes effect only after verification. Neither can be changed. */
async function domainPolicy(app: App) {
  const { instance } = await holdingSettings(app, app.instanceId)
  const details = settingsDetailsV1(instance, app.instanceId)
  return { details, isDefault: true, validateOrgDomains: true }
}

function ownMethods(app: App): readonly Method[] {
  const { instanceId } = app
  return methods(AuthService, {
    getSupportedLanguages: languages,
    async getMyPasswordComplexityPolicy(_, { organizationId }) {
      return { policy: complexityV1((await holdingSettings(app, organizationId)).passwordComplexity, instanceId) }
    },
    async getMyLoginPolicy(_, { organizationId }) {
      return { policy: loginV1((await holdingSettings(app, organizationId)).login, instanceId) }
    },
    async getMyLabelPolicy(_, { organizationId }) {
      return { policy: labelV1((await holdingSettings(app, organizationId)).branding, app) }
    },
    async getMyPrivacyPolicy(_, { organizationId }) {
      return { policy: privacyV1((await holdingSettings(app, organizationId)).legal, instanceId) }
    },
  })
}

function managementMethods(app: App): readonly Method[] {
  const { instanceId } = app
  const holding = () => holdingSettings(app, instanceId)
  return methods(ManagementService, {
    getSupportedLanguages: languages,
    getDomainPolicy: async () => ({ policy: await domainPolicy(app) }),
    getDefaultPasswordComplexityPolicy: async () => ({
      policy: complexityV1((await holding()).passwordComplexity, instanceId),
    }),
    getDefaultPasswordAgePolicy: async () => ({ policy: ageV1((await holding()).passwordExpiry, instanceId) }),
    getDefaultLockoutPolicy: async () => ({ policy: lockoutV1((await holding()).lockout, instanceId) }),
    getDefaultPrivacyPolicy: async () => ({ policy: privacyV1((await holding()).legal, instanceId) }),
    getDefaultLabelPolicy: async () => ({ policy: labelV1((await holding()).branding, app) }),
  })
}

function adminMethods(app: App): readonly Method[] {
  return methods(AdminService, {
    getAllowedLanguages: async () => ({ languages: [...(await allowedLanguages(app))] }),
    getDomainPolicy: async () => ({ policy: await domainPolicy(app) }),
    async getCustomDomainPolicy({ orgId }) {
      await requireOrganization(app, orgId)
      return { policy: await domainPolicy(app), isDefault: true }
    },
  })
}

/** The v1 methods that read policies. */
export function ownPolicyMethods(app: App): readonly Method[] {
  return [...ownMethods(app), ...managementMethods(app), ...adminMethods(app)]
}
