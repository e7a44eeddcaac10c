/** The v1 methods that read languages, and the policies that cannot be changed. */

import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { LANGUAGE_TAGS } from '../../../kernel/languages.ts'
import type { App } from '../../../module/app.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { allowedLanguages, holdingSettings } from '../effective.ts'
import { settingsDetailsV1 } from './details.ts'

async function languages() {
  return { languages: [...LANGUAGE_TAGS] }
}

/** A login name is the username alone, and a domain takes effect only after verification. Neither can be changed. */
async function domainPolicy(app: App) {
  const { instance } = await holdingSettings(app, app.instanceId)
  const details = settingsDetailsV1(instance, app.instanceId)
  return { details, isDefault: true, validateOrgDomains: true }
}

function managementMethods(app: App): readonly Method[] {
  return methods(ManagementService, {
    getSupportedLanguages: languages,
    getDomainPolicy: async () => ({ policy: await domainPolicy(app) }),
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
  return [
    ...methods(AuthService, { getSupportedLanguages: languages }),
    ...managementMethods(app),
    ...adminMethods(app),
  ]
}
