/** The methods of the AdminService about the mail server, under its first names: operation 3 and its siblings. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { listDetailsV1, writtenV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import type { Document } from '../../store/index.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { smtpConfigs } from './documents.ts'
import type { MailNeeds } from './needs.ts'
import {
  addSmtpConfig,
  changeSmtpConfig,
  changeSmtpPassword,
  passwordForTest,
  requireSmtpConfig,
  switchSmtpConfig,
  testOfConfig,
  testSmtp,
} from './smtp-changes.ts'
import { settingsOf, smtpConfigMessage } from './smtp-messages.ts'

export function smtpMethods(needs: MailNeeds): readonly Method[] {
  return methods(AdminService, {
    async addSMTPConfig(message, call) {
      const written = await addSmtpConfig(needs, call, settingsOf(message), message.password)
      return { details: writtenV1(written), id: written.value.id }
    },
    getSMTPConfig: async () => ({ smtpConfig: smtpConfigMessage(await requireSmtpConfig(needs, '')) }),
    getSMTPConfigById: async ({ id }) => ({ smtpConfig: smtpConfigMessage(await requireSmtpConfig(needs, id)) }),
    async listSMTPConfigs({ query }, call) {
      const page = await needs.store.find(smtpConfigs, pageOf(query, 'query'))
      const result = page.documents.map((config) => smtpConfigMessage(config as Document<SetSmtpConfig>))
      return { details: listDetailsV1(page, call.at), result }
    },
    async updateSMTPConfig(message, call) {
      const password = message.password === '' ? 'keep' : { to: message.password }
      const written = await changeSmtpConfig(needs, call, message.id, settingsOf(message), password, false)
      return { details: writtenV1(written) }
    },
    async updateSMTPConfigPassword({ id, password }, call) {
      return { details: writtenV1(await changeSmtpPassword(needs, call, id, password)) }
    },
    activateSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'activate')),
    }),
    deactivateSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'deactivate')),
    }),
    removeSMTPConfig: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'remove')),
    }),
    async testSMTPConfigById({ id, receiverAddress }, call) {
      await testSmtp(needs, call, await testOfConfig(needs, id, receiverAddress))
      return {}
    },
    async testSMTPConfig(message, call) {
      const settings = settingsOf(message)
      const isStored = message.password === '' && message.id !== ''
      const password = isStored ? await passwordForTest(needs, message.id, settings) : message.password
      await testSmtp(needs, call, { settings, password, receiver: message.receiverAddress })
      return {}
    },
  })
}
