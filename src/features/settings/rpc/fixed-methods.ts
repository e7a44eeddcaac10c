/** The v1 methods for what nobody can change: the domain policy, and what is kept for consoles of other products. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { writtenV1 } from '../../../module/details.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { settings } from '../documents.ts'
import { changeInstanceSettings } from '../handlers/change-settings.ts'
import { settingsRefusals } from '../refusals.ts'
import { settingsDetailsV1 } from './details.ts'
import { served } from './policies.ts'

interface StatedPolicy {
  readonly orgId?: string
  readonly userLoginMustBeDomain: boolean
  readonly validateOrgDomains?: boolean
  readonly smtpSenderAddressMatchesInstanceDomain?: boolean
}

/**
 * The domain policy is a rule, not a setting: a login name is the username alone, and a domain takes effect only after
 * verification. What is stated must be as it is.
 */
function domainPolicyMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  const details = async () => settingsDetailsV1(await store.get(settings, instanceId), instanceId)
  const about = async ({ orgId }: { readonly orgId?: string }) => {
    if (orgId !== undefined) await requireOrganization(app, orgId)
    return { details: await details() }
  }
  const state = async ({ orgId, ...stated }: StatedPolicy) => {
    const answer = await about(orgId === undefined ? {} : { orgId })
    const isSame =
      !stated.userLoginMustBeDomain &&
      stated.validateOrgDomains !== false &&
      stated.smtpSenderAddressMatchesInstanceDomain !== true
    if (!isSame) throw refused(settingsRefusals, 'settings.domain_policy_fixed')
    return answer
  }
  return (['DomainPolicy', 'OrgIAMPolicy'] as const).flatMap((name) => {
    const known = { isDefault: true, ...(name === 'DomainPolicy' && { validateOrgDomains: true }) }
    const get = async () => ({ policy: { ...(await about({})), ...known } })
    const getCustom = async (one: { readonly orgId: string }) => ({
      policy: { ...(await about(one)), ...known },
      isDefault: true,
    })
    return [
      ...served(AdminService, {
        [`get${name}`]: get,
        [`update${name}`]: state,
        [`getCustom${name}`]: getCustom,
        [`addCustom${name}`]: state,
        [`updateCustom${name}`]: state,
        [`resetCustom${name}ToDefault`]: about,
      }),
      ...served(ManagementService, { [`get${name}`]: get }),
    ]
  })
}

function keptMethods(app: App): readonly Method[] {
  const notConfigured = async () => {
    throw refused(settingsRefusals, 'settings.provider_not_configured')
  }
  return methods(AdminService, {
    listViews: async () => ({}),
    listFailedEvents: async () => ({}),
    getFileSystemNotificationProvider: notConfigured,
    getLogNotificationProvider: notConfigured,
    async activateFeatureLoginDefaultOrg(_, { origin }) {
      const command = { type: 'set_features', flags: { loginDefaultOrg: true } } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
  })
}

/** The v1 methods for what nobody can change. */
export function fixedMethods(app: App): readonly Method[] {
  return [...domainPolicyMethods(app), ...keptMethods(app)]
}
