/** The methods of the AdminService about the mail server, under its later names. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { AddEmailProviderSMTPRequest } from '../../../contract/gen/signet/admin/v1/email_pb.ts'
import { listDetailsV1, writtenV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { pageOf } from '../../access/paging.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Document } from '../../store/index.ts'
import type { SetSmtpConfig } from './decisions/smtp-config.ts'
import { smtpConfigs } from './documents.ts'
import type { MailNeeds } from './needs.ts'
import { mailRefusals } from './refusals.ts'
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
import { configDetails, emailProviderMessage, settingsOf } from './smtp-messages.ts'

type Auth = Pick<AddEmailProviderSMTPRequest, 'auth' | 'user' | 'password'>

/** The user and the password of a request; an empty password says nothing about it. */
function loginOf({ auth, user, password }: Auth): { readonly user: string; readonly password: string } {
  switch (auth.case) {
    case 'none':
      return { user: '', password: '' }
    case 'plain':
      return { user, password: auth.value.password || password }
    default:
      return { user, password }
  }
}

export function emailProviderMethods(needs: MailNeeds): readonly Method[] {
  return methods(AdminService, {
    async listEmailProviders({ query }, call) {
      const page = await needs.store.find(smtpConfigs, pageOf(query, 'query'))
      const result = page.documents.map((config) => emailProviderMessage(config as Document<SetSmtpConfig>))
      return { details: listDetailsV1(page, call.at), result }
    },
    async getEmailProvider() {
      const config = await requireSmtpConfig(needs, '')
      if (config.state.status !== 'active') throw refused(mailRefusals, 'mail.smtp_not_found')
      return { config: emailProviderMessage(config) }
    },
    getEmailProviderById: async ({ id }) => ({ config: emailProviderMessage(await requireSmtpConfig(needs, id)) }),
    async addEmailProviderSMTP(message, call) {
      const { user, password } = loginOf(message)
      const written = await addSmtpConfig(needs, call, { ...settingsOf(message), user }, password)
      return { details: writtenV1(written), id: written.value.id }
    },
    async updateEmailProviderSMTP(message, call) {
      const { user, password } = loginOf(message)
      const kept = password === '' ? 'keep' : { to: password }
      const settings = { ...settingsOf(message), user }
      const change = message.auth.case === 'none' ? await withoutPassword(needs, message.id) : kept
      return { details: configDetails(await changeSmtpConfig(needs, call, message.id, settings, change, true)) }
    },
    async updateEmailProviderSMTPPassword({ id, password }, call) {
      return { details: writtenV1(await changeSmtpPassword(needs, call, id, password)) }
    },
    activateEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'activate')),
    }),
    deactivateEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'deactivate')),
    }),
    removeEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchSmtpConfig(needs, call, id, 'remove')),
    }),
    async testEmailProviderSMTPById({ id, receiverAddress }, call) {
      await testSmtp(needs, call, await testOfConfig(needs, id, receiverAddress))
      return {}
    },
    async testEmailProviderSMTP(message, call) {
      const login = loginOf(message)
      const settings = { ...settingsOf(message), user: login.user }
      const isStored = login.password === '' && message.id !== '' && message.auth.case !== 'none'
      const password = isStored ? await passwordForTest(needs, message.id, settings) : login.password
      await testSmtp(needs, call, { settings, password, receiver: message.receiverAddress })
      return {}
    },
  })
}

/** A password that is not there need not be removed: then nothing may have changed at all. */
async function withoutPassword(needs: MailNeeds, id: string): Promise<'keep' | 'remove'> {
  return (await requireSmtpConfig(needs, id)).state.secret.password === undefined ? 'keep' : 'remove'
}
