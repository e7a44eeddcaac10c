/** The v1 methods for the generators of codes. */
import { AdminService } from '../../../../contract/gen/signet/admin/v1/admin_pb.ts'
import {
  type SecretGenerator,
  SecretGeneratorType,
  SecretGeneratorTypeSchema,
} from '../../../../contract/gen/signet/settings/v1/settings_pb.ts'
import { type Method, methods } from '../../../access/method.ts'
import type { App } from '../../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../../module/details.ts'
import { mapped, milliseconds, same, words } from '../../../module/mapped.ts'
import { pageOf } from '../../../module/paging.ts'
import { settings } from '../documents.ts'
import { BUILT_IN_GENERATORS } from '../generators.ts'
import { changeInstanceSettings } from '../handlers/change-settings.ts'
import type { Generator, GeneratorName } from '../values.ts'
import { settingsDetailsV1 } from './details.ts'

const NUMBERS = {
  init_code: SecretGeneratorType.INIT_CODE,
  verify_email: SecretGeneratorType.VERIFY_EMAIL_CODE,
  verify_phone: SecretGeneratorType.VERIFY_PHONE_CODE,
  password_reset: SecretGeneratorType.PASSWORD_RESET_CODE,
  passkey_link: SecretGeneratorType.PASSWORDLESS_INIT_CODE,
  app_secret: SecretGeneratorType.APP_SECRET,
  otp_sms: SecretGeneratorType.OTP_SMS,
  otp_email: SecretGeneratorType.OTP_EMAIL,
  invite_code: SecretGeneratorType.INVITE_CODE,
} satisfies Record<GeneratorName, SecretGeneratorType>

const names = words(NUMBERS)

const generator = mapped<Generator, SecretGenerator, 'details' | 'generatorType'>()({
  length: ['length', same],
  expiryMs: ['expiry', milliseconds],
  hasLower: ['includeLowerLetters', same],
  hasUpper: ['includeUpperLetters', same],
  hasDigits: ['includeDigits', same],
  hasSymbols: ['includeSymbols', same],
})

/** All types, in the order of the contract. */
const ALL_TYPES = SecretGeneratorTypeSchema.values.flatMap(({ number }) =>
  Object.values<number>(NUMBERS).includes(number) ? [number as SecretGeneratorType] : [],
)

/** The v1 methods for the generators of codes. */
export function generatorMethods(app: App): readonly Method[] {
  const { store, instanceId } = app
  const show = async (generatorType: SecretGeneratorType) => {
    const from = await store.get(settings, instanceId)
    const name = names.read(generatorType)
    const own = from?.state.generators?.[name]
    const details = settingsDetailsV1(own && from, instanceId)
    return { generatorType, details, ...generator.show(own ?? BUILT_IN_GENERATORS[name]) }
  }
  return methods(AdminService, {
    async listSecretGenerators({ query, queries }, call) {
      const found = ALL_TYPES.filter((type) =>
        queries.every(({ query: one }) => one.case === 'typeQuery' && one.value.generatorType === type),
      )
      const { offset, limit } = pageOf(query, 'query')
      const result = await Promise.all(found.slice(offset, offset + limit).map(show))
      return { details: listDetailsV1({ total: found.length, sequence: 0 }, call.at), result }
    },
    getSecretGenerator: async ({ generatorType }) => ({ secretGenerator: await show(generatorType) }),
    async updateSecretGenerator({ generatorType, ...message }, { origin }) {
      const command = {
        type: 'set_generator',
        name: names.read(generatorType),
        value: generator.read(message),
      } as const
      return { details: writtenV1(await changeInstanceSettings(app, origin, command)) }
    },
  })
}
