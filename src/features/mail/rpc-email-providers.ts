/** The AdminService methods for email providers: the SMTP server, under its newer names, and webhooks. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import type { AddEmailProviderSMTPRequest } from '../../../contract/gen/signet/admin/v1/email_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import type { Document } from '../../store/index.ts'
import { isWebhook, type SmtpConfig } from './decisions/smtp-config.ts'
import { findActiveProvider, findSmtpConfig, signingKeyPlace, smtpConfigs } from './documents.ts'
import type { SmtpOAuth, SmtpSettings } from './events.ts'
import { addEmailWebhook, changeEmailWebhook } from './handlers/set-email-webhook.ts'
import {
  addSmtpConfig,
  changeSmtpConfig,
  changeSmtpPassword,
  requireSmtpConfig,
  switchProvider,
} from './handlers/set-smtp-config.ts'
import { passwordForTest, testOfConfig, testSmtp } from './handlers/test-smtp.ts'
import { mailRefusals } from './refusals.ts'
import { configDetails, emailProviderMessage, settingsOf } from './smtp-messages.ts'

type Auth = Pick<AddEmailProviderSMTPRequest, 'auth' | 'user' | 'password'>

/** How a request says that the server authenticates. An empty password, or client secret, means that none is given. */
interface Login {
  readonly user: string
  readonly password: string
  readonly oauth?: SmtpOAuth
}

function loginOf({ auth, user, password }: Auth, known?: SmtpOAuth): Login {
  switch (auth.case) {
    case 'none':
      return { user: '', password: '' }
    case 'plain':
      return { user, password: auth.value.password || password }
    case 'xoauth2': {
      const { tokenEndpoint, scopes, oauth2Type } = auth.value
      const { clientId, clientSecret } = oauth2Type.value ?? { clientId: '', clientSecret: '' }
      return { user, password: clientSecret, oauth: { tokenEndpoint, scopes, clientId } }
    }
    default:
      // Nothing is said: as it is, unless there is a password.
      return { user, password, ...(password === '' && known !== undefined && { oauth: known }) }
  }
}

/** The login of a request that changes a server or tests other settings of it. */
async function loginFor(app: App, id: string, auth: Auth): Promise<Login> {
  const known = auth.auth.case === undefined ? await findSmtpConfig(app) : undefined
  return loginOf(auth, known?.id === id ? known.state.oauth : undefined)
}

function withLogin(settings: SmtpSettings, { user, oauth }: Login): SmtpSettings {
  return { ...settings, user, ...(oauth && { oauth }) }
}

/** A provider as the caller may see it: whoever could replace the signing key of a webhook sees it. */
async function shown(app: App, call: Call, config: Document<SmtpConfig>) {
  const { id, state } = config
  const isForCaller = isWebhook(state) && call.may('iam.write', app.instanceId)
  return emailProviderMessage(
    config,
    isForCaller ? await app.vault.open(signingKeyPlace(id), state.secret.signingKey) : '',
  )
}

/** The methods of this family. */
export function emailProviderMethods(app: App): readonly Method[] {
  return methods(AdminService, {
    async listEmailProviders({ query }, call) {
      const page = await app.store.find(smtpConfigs, pageOf(query, 'query'))
      const result = await Promise.all(page.documents.map((one) => shown(app, call, one)))
      return { details: listDetailsV1(page, call.at), result }
    },
    async getEmailProvider(_, call) {
      const config = await findActiveProvider(app)
      if (config === undefined) throw refused(mailRefusals, 'mail.smtp_not_found')
      return { config: await shown(app, call, config) }
    },
    async getEmailProviderById({ id }, call) {
      const config = await app.store.get(smtpConfigs, id)
      if (config === undefined) throw refused(mailRefusals, 'mail.smtp_not_found')
      return { config: await shown(app, call, config) }
    },
    async addEmailProviderHTTP(message, call) {
      const { written, ...reply } = await addEmailWebhook(app, call, message)
      return { details: writtenV1(written), ...reply }
    },
    async updateEmailProviderHTTP({ id, endpoint, description, expirationSigningKey }, call) {
      const renewsKey = expirationSigningKey !== undefined
      const { written, ...reply } = await changeEmailWebhook(app, call, id, { endpoint, description, renewsKey })
      return { details: writtenV1(written), ...reply }
    },
    async addEmailProviderSMTP(message, call) {
      const login = loginOf(message)
      const written = await addSmtpConfig(app, call, withLogin(settingsOf(message), login), login.password)
      return { details: writtenV1(written), id: written.value.id }
    },
    async updateEmailProviderSMTP(message, call) {
      const login = await loginFor(app, message.id, message)
      const kept = login.password === '' ? 'keep' : { to: login.password }
      const settings = withLogin(settingsOf(message), login)
      const change = message.auth.case === 'none' ? await withoutPassword(app, message.id) : kept
      return { details: configDetails(await changeSmtpConfig(app, call, message.id, settings, change, true)) }
    },
    async updateEmailProviderSMTPPassword({ id, password }, call) {
      return { details: writtenV1(await changeSmtpPassword(app, call, id, password)) }
    },
    activateEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchProvider(app, call, id, 'activate')),
    }),
    deactivateEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchProvider(app, call, id, 'deactivate')),
    }),
    removeEmailProvider: async ({ id }, call) => ({
      details: writtenV1(await switchProvider(app, call, id, 'remove')),
    }),
    async testEmailProviderSMTPById({ id, receiverAddress }, call) {
      await testSmtp(app, call, await testOfConfig(app, id, receiverAddress))
      return {}
    },
    async testEmailProviderSMTP(message, call) {
      const login = await loginFor(app, message.id, message)
      const settings = withLogin(settingsOf(message), login)
      const isStored = login.password === '' && message.id !== '' && message.auth.case !== 'none'
      const password = isStored ? await passwordForTest(app, message.id, settings) : login.password
      await testSmtp(app, call, { settings, password, receiver: message.receiverAddress })
      return {}
    },
  })
}

/** A missing password does not have to be removed. Then the request may change nothing. */
async function withoutPassword(app: App, id: string): Promise<'keep' | 'remove'> {
  return (await requireSmtpConfig(app, id)).state.secret.password === undefined ? 'keep' : 'remove'
}
