/** The settings that only an instance has, as drafts. */
import type { SmtpSettings } from '../../../../features/mail/index.ts'
import type { SettingsValues } from '../../draft.ts'
import type { InstanceState, MailServer } from '../folds/instance.ts'
import { type Item, type Reading, remark } from '../reading.ts'
import { section } from './settings.ts'

const HOUR = 3_600_000

function smtpSettings({ values, oauth }: MailServer): SmtpSettings {
  const { tokenEndpoint = '', scopes = [], clientId = '' } = oauth ?? {}
  return {
    ...(oauth && { oauth: { tokenEndpoint, scopes, clientId } }),
    senderAddress: values.senderAddress ?? '',
    senderName: values.senderName ?? '',
    replyToAddress: values.replyToAddress ?? '',
    tls: values.tls ?? false,
    host: values.host ?? '',
    user: values.user ?? '',
    description: values.description ?? '',
  }
}

function* mailSections({ mailServers, activeMailServer }: InstanceState, { keys }: Reading): Generator<Item> {
  const hasActive = mailServers.living.has(activeMailServer)
  for (const [id, { value, ...dates }] of mailServers.living) {
    const isActive = id === activeMailServer
    if (value.type !== 'smtp') {
      yield remark('settings', id, 'Mail by a webhook stays behind: add the email provider again.')
    } else if (!isActive && hasActive) {
      yield remark('settings', id, 'The SMTP server stays behind: it is not active, and there is one here.')
    } else {
      const password = value.oauth === undefined ? value.values.password : value.oauth.clientSecret
      const values = {
        ...smtpSettings(value),
        ...(password && { password: keys.open(password, `the SMTP server ${id}`) }),
        isActive,
      }
      yield section('smtp', '', dates, values, id)
    }
  }
}

function* smsSections({ smsProviders, activeSmsProvider }: InstanceState, { keys }: Reading): Generator<Item> {
  for (const [id, { value, ...dates }] of smsProviders.living) {
    const { description = '', endpoint = '', signingKey } = value.values
    if (value.type !== 'http' || signingKey === undefined) {
      yield remark('settings', id, 'The SMS provider stays behind: add the Twilio account again, with its token.')
    } else {
      const key = keys.open(signingKey, `the SMS provider ${id}`)
      const isActive = id === activeSmsProvider
      yield section('sms', '', dates, { endpoint, description, signingKey: key, isActive }, id)
    }
  }
}

function securityValues({ values }: NonNullable<InstanceState['security']>): SettingsValues['security'] {
  return {
    allowsEmbedding: values.enable_iframe_embedding ?? values.enabled ?? false,
    embeddingOrigins: values.allowedOrigins ?? [],
    allowsImpersonation: values.enable_impersonation ?? false,
    allowsClientRegistration: values.enable_dynamic_client_registration ?? false,
    allowsAnonymousClientRegistration: values.allow_unauthenticated_dynamic_client_registration ?? false,
  }
}

function oidcValues({ values }: NonNullable<InstanceState['oidc']>): SettingsValues['oidc'] {
  return {
    accessTokenMs: values.accessTokenLifetime ?? 12 * HOUR,
    idTokenMs: values.idTokenLifetime ?? 12 * HOUR,
    refreshIdleMs: values.refreshTokenIdleExpiration ?? 720 * HOUR,
    refreshAbsoluteMs: values.refreshTokenExpiration ?? 2160 * HOUR,
  }
}

function* instanceRemarks(state: InstanceState, id: string): Generator<Item> {
  for (const domain of state.domains.living.keys()) {
    if (domain === state.primaryDomain) continue
    yield remark('instance-domain', domain, 'The domain stays behind: a server has one address here.')
  }
  for (const domain of state.trustedDomains.living.keys()) {
    yield remark('trusted-domain', domain, 'The trusted domain stays behind: there is no such list here.')
  }
  if (state.hasSecretGenerators) {
    yield remark('settings', id, 'Lengths and lifetimes of codes (secret generators) stay behind: they are fixed here.')
  }
}

export function* instanceDrafts(reading: Reading): Generator<Item> {
  const { id, state, createdAt, changedAt } = reading.world.instance
  const dates = { createdAt, changedAt }
  const { name, apiProjectId, defaultOrganizationId, defaultLanguage, oidc, security } = state
  yield section('instance', '', dates, {
    name,
    ...(apiProjectId && { apiProjectId }),
    ...(defaultOrganizationId && { defaultOrganizationId }),
  })
  if (defaultLanguage) yield section('language', '', dates, { defaultLanguage })
  if (oidc) yield section('oidc', '', { createdAt, changedAt: oidc.event.at }, oidcValues(oidc))
  if (security) yield section('security', '', { createdAt, changedAt: security.event.at }, securityValues(security))
  yield* mailSections(state, reading)
  yield* smsSections(state, reading)
  yield* instanceRemarks(state, id)
}
