/** The v1 methods for restrictions, the generators of codes, and what is kept for consoles of other products. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationFromMs, durationMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import {
  type SecretGeneratorSchema,
  SecretGeneratorType,
  SecretGeneratorTypeSchema,
} from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import { refused } from '../../../kernel/refusal.ts'
import type { App } from '../../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../../module/details.ts'
import { pageOf } from '../../../module/paging.ts'
import { requireOrganization } from '../../organizations/index.ts'
import { settings } from '../documents.ts'
import { holdingSettings } from '../effective.ts'
import type { GeneratorName } from '../events.ts'
import { BUILT_IN_GENERATORS } from '../generators.ts'
import { changeInstanceSettings } from '../handlers/change-settings.ts'
import { settingsRefusals } from '../refusals.ts'
import { settingsDetailsV1 } from './details.ts'

const NAMES = {
  [SecretGeneratorType.INIT_CODE]: 'init_code',
  [SecretGeneratorType.VERIFY_EMAIL_CODE]: 'verify_email',
  [SecretGeneratorType.VERIFY_PHONE_CODE]: 'verify_phone',
  [SecretGeneratorType.PASSWORD_RESET_CODE]: 'password_reset',
  [SecretGeneratorType.PASSWORDLESS_INIT_CODE]: 'passkey_link',
  [SecretGeneratorType.APP_SECRET]: 'app_secret',
  [SecretGeneratorType.OTP_SMS]: 'otp_sms',
  [SecretGeneratorType.OTP_EMAIL]: 'otp_email',
  [SecretGeneratorType.INVITE_CODE]: 'invite_code',
} as const satisfies Readonly<Record<number, GeneratorName>>

type KnownType = keyof typeof NAMES

const ALL_TYPES: readonly SecretGeneratorType[] = SecretGeneratorTypeSchema.values.map(
  ({ number }) => number as SecretGeneratorType,
)

function isKnown(type: SecretGeneratorType): type is KnownType {
  return Object.hasOwn(NAMES, type)
}

async function generatorV1(
  { store, instanceId }: App,
  generatorType: KnownType,
): Promise<MessageInitShape<typeof SecretGeneratorSchema>> {
  const from = await store.get(settings, instanceId)
  const name = NAMES[generatorType]
  const own = from?.state.generators?.[name]
  const { length, expiryMs, hasLower, hasUpper, hasDigits, hasSymbols } = own ?? BUILT_IN_GENERATORS[name]
  return {
    generatorType,
    details: settingsDetailsV1(own && from, instanceId),
    length,
    expiry: durationFromMs(expiryMs),
    includeLowerLetters: hasLower,
    includeUpperLetters: hasUpper,
    includeDigits: hasDigits,
    includeSymbols: hasSymbols,
  }
}

function generatorMethods(app: App): readonly Method[] {
  const known = (type: SecretGeneratorType): KnownType => {
    if (!isKnown(type)) throw new Error('the contract accepted an unknown generator')
    return type
  }
  return methods(AdminService, {
    async listSecretGenerators({ query, queries }, call) {
      const all = ALL_TYPES.filter(isKnown)
      const found = all.filter((type) =>
        queries.every(({ query: one }) => one.case === 'typeQuery' && one.value.generatorType === type),
      )
      const { offset, limit } = pageOf(query, 'query')
      const result = await Promise.all(found.slice(offset, offset + limit).map((type) => generatorV1(app, type)))
      return { details: listDetailsV1({ total: found.length, sequence: 0 }, call.at), result }
    },
    async getSecretGenerator({ generatorType }) {
      return { secretGenerator: await generatorV1(app, known(generatorType)) }
    },
    async updateSecretGenerator({ generatorType, ...message }, { origin }) {
      const name = NAMES[known(generatorType)]
      const value = {
        length: message.length,
        expiryMs: message.expiry === undefined ? 0 : durationMs(message.expiry),
        hasLower: message.includeLowerLetters,
        hasUpper: message.includeUpperLetters,
        hasDigits: message.includeDigits,
        hasSymbols: message.includeSymbols,
      }
      const command = { type: 'set_generator', name, value } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
  })
}

interface StatedPolicy {
  readonly orgId?: string
  readonly userLoginMustBeDomain: boolean
  readonly validateOrgDomains?: boolean
  readonly smtpSenderAddressMatchesInstanceDomain?: boolean
}

/** The domain policy is a rule, not a setting: what is stated must be as it is. */
function domainPolicyMethods(app: App): readonly Method[] {
  const details = async () => settingsDetailsV1((await holdingSettings(app, app.instanceId)).instance, app.instanceId)
  const state = async ({ orgId, ...stated }: StatedPolicy) => {
    if (orgId !== undefined) await requireOrganization(app, orgId)
    const isSame =
      !stated.userLoginMustBeDomain &&
      stated.validateOrgDomains !== false &&
      stated.smtpSenderAddressMatchesInstanceDomain !== true
    if (!isSame) throw refused(settingsRefusals, 'settings.domain_policy_fixed')
    return { details: await details() }
  }
  const reset = async ({ orgId }: { readonly orgId: string }) => {
    await requireOrganization(app, orgId)
    return { details: await details() }
  }
  const policy = async () => ({ details: await details(), isDefault: true })
  return [
    ...methods(AdminService, {
      updateDomainPolicy: state,
      addCustomDomainPolicy: state,
      updateCustomDomainPolicy: state,
      resetCustomDomainPolicyToDefault: reset,
      getOrgIAMPolicy: async () => ({ policy: await policy() }),
      updateOrgIAMPolicy: state,
      async getCustomOrgIAMPolicy({ orgId }) {
        await requireOrganization(app, orgId)
        return { policy: await policy(), isDefault: true }
      },
      addCustomOrgIAMPolicy: state,
      updateCustomOrgIAMPolicy: state,
      resetCustomOrgIAMPolicyToDefault: reset,
    }),
    ...methods(ManagementService, { getOrgIAMPolicy: async () => ({ policy: await policy() }) }),
  ]
}

function restrictionMethods(app: App): readonly Method[] {
  return methods(AdminService, {
    async getRestrictions() {
      const { allowedLanguages, instance } = await holdingSettings(app, app.instanceId)
      return {
        details: settingsDetailsV1(instance, app.instanceId),
        disallowPublicOrgRegistration: true,
        allowedLanguages: [...allowedLanguages],
      }
    },
    async setRestrictions({ disallowPublicOrgRegistration, allowedLanguages }, { origin }) {
      if (disallowPublicOrgRegistration === false) throw refused(settingsRefusals, 'settings.registration_closed')
      if (allowedLanguages === undefined) {
        const { instance } = await holdingSettings(app, app.instanceId)
        return { details: settingsDetailsV1(instance, app.instanceId) }
      }
      const command = { type: 'allow_languages', languages: [...allowedLanguages.list] } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
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

/** The v1 methods for messages, codes and restrictions. */
export function messagesMethodsV1(app: App): readonly Method[] {
  return [...generatorMethods(app), ...domainPolicyMethods(app), ...restrictionMethods(app), ...keptMethods(app)]
}
