/** The AdminService methods for text messages. */
import type { MessageInitShape } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SMSProviderConfigState, type SMSProviderSchema } from '../../../contract/gen/signet/settings/v1/settings_pb.ts'
import type { Call } from '../../access/call.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1, writtenV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { endpointProblem } from '../../outbound/endpoint.ts'
import type { Document } from '../../store/index.ts'
import { newSigningKey } from '../mail/index.ts'
import { isLiving, type LivingSmsProvider, type SmsProvider } from './decider.ts'
import { activeSmsProviderId, signingKeyPlace, smsProviders, tokenPlace } from './documents.ts'
import { smsRefusals } from './refusals.ts'
import { checkedAccount } from './twilio-account.ts'

function configOf(state: LivingSmsProvider, signingKey: string) {
  if (state.type === 'http') return { case: 'http', value: { endpoint: state.endpoint, signingKey } } as const
  const { sid, senderNumber, verifyServiceSid } = state
  return { case: 'twilio', value: { sid, senderNumber, verifyServiceSid } } as const
}

/** A provider as the caller may see it: whoever could replace the signing key of a webhook sees it. */
async function providerMessage(
  app: App,
  call: Call,
  document: Document<SmsProvider>,
): Promise<MessageInitShape<typeof SMSProviderSchema>> {
  const { id, state } = document
  if (!isLiving(state)) throw refused(smsRefusals, 'sms.provider_not_found')
  const isForCaller = state.type === 'http' && call.may('iam.write', app.instanceId)
  const signingKey = isForCaller ? await app.vault.open(signingKeyPlace(id), state.secret.signingKey) : ''
  const { SMS_PROVIDER_CONFIG_ACTIVE, SMS_PROVIDER_CONFIG_INACTIVE } = SMSProviderConfigState
  return {
    id,
    details: detailsV1(document),
    state: state.status === 'active' ? SMS_PROVIDER_CONFIG_ACTIVE : SMS_PROVIDER_CONFIG_INACTIVE,
    description: state.description,
    config: configOf(state, signingKey),
  }
}

/** The methods of this module. */
export function smsMethods(app: App): readonly Method[] {
  const { store, vault, newId, instanceId, config } = app
  const checkEndpoint = (endpoint: string): void => {
    const description = endpointProblem(endpoint, config.allowsPrivateNetwork)
    if (description === undefined) return
    throw refused(smsRefusals, 'sms.endpoint_invalid', { violations: [{ field: 'endpoint', description }] })
  }

  return methods(AdminService, {
    async listSMSProviders({ query }, call) {
      const page = await store.find(smsProviders, pageOf(query, 'query'))
      const result = await Promise.all(page.documents.map((one) => providerMessage(app, call, one)))
      return { details: listDetailsV1(page, call.at), result }
    },
    async getSMSProvider({ id }, call) {
      const provider = await store.get(smsProviders, id)
      if (provider === undefined) throw refused(smsRefusals, 'sms.provider_not_found')
      return { config: await providerMessage(app, call, provider) }
    },
    async addSMSProviderHTTP({ endpoint, description }, call) {
      checkEndpoint(endpoint)
      const signingKey = newSigningKey()
      const written = await store.write(call.origin, async (work) => {
        const id = await work.unusedId(smsProviders, newId)
        const secret = { signingKey: await vault.seal(work, signingKeyPlace(id), signingKey) }
        const command = { type: 'add', of: 'http', settings: { endpoint, description }, secret } as const
        return work.decide(smsProviders, id, command, instanceId)
      })
      return { details: writtenV1(written), id: written.value.id, signingKey }
    },
    async updateSMSProviderHTTP({ id, endpoint, description, expirationSigningKey }, call) {
      checkEndpoint(endpoint)
      const signingKey = expirationSigningKey === undefined ? undefined : newSigningKey()
      const written = await store.write(call.origin, async (work) => {
        const renewed = signingKey && {
          secret: { signingKey: await vault.seal(work, signingKeyPlace(id), signingKey) },
        }
        const command = { type: 'change', of: 'http', settings: { endpoint, description }, ...renewed } as const
        return work.decide(smsProviders, id, command, instanceId)
      })
      return { details: writtenV1(written), ...(signingKey === undefined ? {} : { signingKey }) }
    },
    async addSMSProviderTwilio(message, call) {
      const account = checkedAccount(message)
      const written = await store.write(call.origin, async (work) => {
        const id = await work.unusedId(smsProviders, newId)
        const secret = { token: await vault.seal(work, tokenPlace(id), message.token) }
        return work.decide(smsProviders, id, { type: 'add', of: 'twilio', settings: account, secret }, instanceId)
      })
      return { details: writtenV1(written), id: written.value.id }
    },
    async updateSMSProviderTwilio(message, call) {
      const account = checkedAccount(message)
      const written = await store.write(call.origin, (work) =>
        work.decide(smsProviders, message.id, { type: 'change', of: 'twilio', settings: account }, instanceId),
      )
      return { details: writtenV1(written) }
    },
    async updateSMSProviderTwilioToken({ id, token }, call) {
      const written = await store.write(call.origin, async (work) => {
        const secret = { token: await vault.seal(work, tokenPlace(id), token) }
        return work.decide(smsProviders, id, { type: 'change_secret', of: 'twilio', secret }, instanceId)
      })
      return { details: writtenV1(written) }
    },
    async activateSMSProvider({ id }, call) {
      const written = await store.write(call.origin, async (work) => {
        const activated = await work.decide(smsProviders, id, { type: 'activate' }, instanceId)
        const former = await activeSmsProviderId(app)
        if (former !== undefined && former !== id) await work.decide(smsProviders, former, { type: 'deactivate' })
        return activated
      })
      return { details: writtenV1(written) }
    },
    deactivateSMSProvider: async ({ id }, call) => ({
      details: writtenV1(
        await store.write(call.origin, (work) => work.decide(smsProviders, id, { type: 'deactivate' }, instanceId)),
      ),
    }),
    removeSMSProvider: async ({ id }, call) => ({
      details: writtenV1(
        await store.write(call.origin, (work) => work.decide(smsProviders, id, { type: 'remove' }, instanceId)),
      ),
    }),
  })
}
