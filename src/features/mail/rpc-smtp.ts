/** The AdminService methods for the SMTP server, under its older names: `AddSMTPConfig` and others. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type {
  AddSMTPConfigRequest,
  TestSMTPConfigRequest,
  UpdateSMTPConfigRequest,
} from '../../../contract/gen/signet/admin/v1/smtp_pb.ts'
import { type Implementation, type Method, methods } from '../../access/method.ts'
import { violationsOf } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { findSmtpConfig, smtpConfigs } from './documents.ts'
import type { SmtpSettings } from './events.ts'
import {
  addSmtpConfig,
  changeSmtpConfig,
  changeSmtpPassword,
  checkSettings,
  requireSmtpConfig,
  switchSmtpConfig,
} from './handlers/set-smtp-config.ts'
import { passwordForTest, testOfConfig, testSmtp } from './handlers/test-smtp.ts'
import { settingsOf, smtpConfigMessage } from './smtp-messages.ts'

/** Webhooks have methods of their own. */
const ONLY_SMTP = { field: 'type', equals: 'smtp' } as const

/** The methods of this family. */
export function smtpMethods(app: App): readonly Method[] {
  // These methods know no access tokens: a server that has them keeps them, unless it gets a password.
  const settingsFor = async (message: UpdateSMTPConfigRequest | TestSMTPConfigRequest): Promise<SmtpSettings> => {
    const known = message.password === '' ? await findSmtpConfig(app) : undefined
    const oauth = message.id === '' || message.id === known?.id ? known?.state.oauth : undefined
    return { ...settingsOf(message), ...(oauth && { oauth }) }
  }
  const rpc: Implementation<typeof AdminService> = {
    async addSMTPConfig(message, call) {
      const written = await addSmtpConfig(app, call, settingsOf(message), message.password)
      return { details: writtenV1(written), id: written.value.id }
    },
    getSMTPConfig: async () => ({ smtpConfig: smtpConfigMessage(await requireSmtpConfig(app, '')) }),
    getSMTPConfigById: async ({ id }) => ({ smtpConfig: smtpConfigMessage(await requireSmtpConfig(app, id)) }),
    async listSMTPConfigs({ query }, call) {
      const page = await app.store.find(smtpConfigs, { where: ONLY_SMTP, ...pageOf(query, 'query') })
      const result = page.documents.map((config) => smtpConfigMessage(config as Document<SetSmtpConfig>))
      return { details: listDetailsV1(page, call.at), result }
    },
    async updateSMTPConfig(message, call) {
      const password = message.password === '' ? 'keep' : { to: message.password }
      const written = await changeSmtpConfig(app, call, message.id, await settingsFor(message), password, false)
      return { details: writtenV1(written) }
    },
    async updateSMTPConfigPassword({ id, password }, call) {
      return { details: writtenV1(await changeSmtpPassword(app, call, id, password)) }
    },
    activateSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(app, call, id, 'activate')),
    }),
    deactivateSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(app, call, id, 'deactivate')),
    }),
    removeSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(app, call, id, 'remove')),
    }),
    async testSMTPConfigById({ id, receiverAddress }, call) {
      await testSmtp(app, call, await testOfConfig(app, id, receiverAddress))
      return {}
    },
    async testSMTPConfig(message, call) {
      const isStored = message.password === '' && message.id !== ''
      const settings = isStored ? await settingsFor(message) : settingsOf(message)
      const password = isStored ? await passwordForTest(app, message.id, settings) : message.password
      await testSmtp(app, call, { settings, password, receiver: message.receiverAddress })
      return {}
    },
  }
  const violations = (message: AddSMTPConfigRequest | UpdateSMTPConfigRequest) =>
    violationsOf(() => checkSettings(app, settingsOf(message), message.password))
  return methods(AdminService, rpc, { addSMTPConfig: violations, updateSMTPConfig: violations })
}
