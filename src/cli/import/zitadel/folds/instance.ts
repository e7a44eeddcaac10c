/** What only an instance has: its name, its mail and text message servers, lifetimes, security, flags and web keys. */
import {
  anything,
  type CryptoValue,
  crypto,
  flag,
  type Members,
  milliseconds,
  need,
  object,
  optional,
  type PeerEvent,
  take,
  text,
  texts,
  url,
} from '../event.ts'
import { type Changes, type Folding, Parts } from '../fold.ts'

const OIDC = {
  accessTokenLifetime: milliseconds,
  idTokenLifetime: milliseconds,
  refreshTokenIdleExpiration: milliseconds,
  refreshTokenExpiration: milliseconds,
}
const SECURITY = {
  enable_iframe_embedding: flag,
  enabled: flag,
  allowedOrigins: texts,
  enable_impersonation: flag,
  enable_dynamic_client_registration: flag,
  allow_unauthenticated_dynamic_client_registration: flag,
}
const SMTP = {
  description: text,
  senderAddress: text,
  senderName: text,
  replyToAddress: text,
  tls: flag,
  host: text,
  user: text,
  password: crypto,
}
const XOAUTH2 = { tokenEndpoint: text, scopes: texts, clientId: text, clientSecret: crypto }
const SMS = { description: text, endpoint: text, signingKey: crypto }

export interface MailServer {
  readonly type: 'smtp' | 'http'
  readonly values: Members<typeof SMTP>
  /** Not given: it authenticates with a password, or not at all. */
  readonly oauth?: Members<typeof XOAUTH2>
}

export interface SmsProvider {
  readonly type: 'http' | 'twilio'
  readonly values: Members<typeof SMS>
}

export interface InstanceState {
  name: string
  defaultOrganizationId: string
  defaultLanguage: string
  apiProjectId: string
  primaryDomain: string
  domains: Parts<null>
  trustedDomains: Parts<null>
  oidc?: { values: Members<typeof OIDC>; event: PeerEvent }
  security?: { values: Members<typeof SECURITY>; event: PeerEvent }
  mailServers: Parts<MailServer>
  activeMailServer: string
  smsProviders: Parts<SmsProvider>
  activeSmsProvider: string
  hasSecretGenerators: boolean
}

type InstanceChange = (state: InstanceState, event: PeerEvent) => void

/** Without an ID there was only one, and it was active at once. */
function idOf(event: PeerEvent): string {
  return optional(event, 'id', text) ?? event.aggregateId
}

function smtpPassword(event: PeerEvent): { readonly password?: CryptoValue } {
  const plain = crypto(optional(event, 'plainAuth', object)?.password)
  return plain === undefined ? {} : { password: plain }
}

/** The members of the access tokens. Changes write both forms of authentication, the one that is not used without values. */
function xoauth2(event: PeerEvent): MailServer['oauth'] {
  const given = optional(event, 'xoauth2Auth', object)
  if (typeof given?.tokenEndpoint !== 'string') return undefined
  return take({ ...event, payload: { ...given, ...object(given.clientCredentials) } }, XOAUTH2)
}

function mailServer(event: PeerEvent, before?: MailServer): MailServer {
  const { password: known, ...others } = before?.values ?? {}
  const values = { ...others, ...take(event, SMTP) }
  const changed = xoauth2(event)
  if (changed !== undefined) return { type: 'smtp', values, oauth: { ...before?.oauth, ...changed } }
  const password = smtpPassword(event).password ?? values.password
  if (password !== undefined) return { type: 'smtp', values: { ...values, password } }
  const { type = 'smtp', oauth } = before ?? {}
  return { type, values: { ...values, ...(known && { password: known }) }, ...(oauth && { oauth }) }
}

const MAIL: Changes<InstanceState> = {
  'instance.smtp.config.added': (state, event) => {
    state.mailServers.add(idOf(event), mailServer(event), event)
    if (optional(event, 'id', text) === undefined) state.activeMailServer = event.aggregateId
  },
  'instance.smtp.config.changed': ({ mailServers }, event) =>
    mailServers.change(idOf(event), event, (server) => mailServer(event, server)),
  'instance.smtp.config.password.changed': ({ mailServers }, event) =>
    mailServers.change(idOf(event), event, (server) => mailServer(event, server)),
  'instance.smtp.config.http.added': ({ mailServers }, event) =>
    mailServers.add(idOf(event), { type: 'http', values: take(event, { description: text }) }, event),
  'instance.smtp.config.activated': (state, event) => {
    state.activeMailServer = idOf(event)
  },
  'instance.smtp.config.deactivated': (state, event) => {
    if (state.activeMailServer === idOf(event)) state.activeMailServer = ''
  },
  'instance.smtp.config.removed': (state, event) => {
    state.mailServers.remove(idOf(event))
    if (state.activeMailServer === idOf(event)) state.activeMailServer = ''
  },
}

const activateSms: InstanceChange = (state, event) => {
  state.activeSmsProvider = need(event, 'id', text)
}
const deactivateSms: InstanceChange = (state, event) => {
  if (state.activeSmsProvider === need(event, 'id', text)) state.activeSmsProvider = ''
}
const removeSms: InstanceChange = (state, event) => {
  deactivateSms(state, event)
  state.smsProviders.remove(need(event, 'id', text))
}

const SMS_CHANGES: Changes<InstanceState> = {
  'instance.sms.confighttp.added': ({ smsProviders }, event) =>
    smsProviders.add(need(event, 'id', text), { type: 'http', values: take(event, SMS) }, event),
  'instance.sms.confighttp.changed': ({ smsProviders }, event) =>
    smsProviders.change(need(event, 'id', text), event, ({ type, values }) => ({
      type,
      values: { ...values, ...take(event, SMS) },
    })),
  'instance.sms.configtwilio.added': ({ smsProviders }, event) =>
    smsProviders.add(need(event, 'id', text), { type: 'twilio', values: take(event, { description: text }) }, event),
  'instance.sms.configactivated': activateSms,
  'instance.sms.configtwilio.activated': activateSms,
  'instance.sms.configdeactivated': deactivateSms,
  'instance.sms.configtwilio.deactivated': deactivateSms,
  'instance.sms.configremoved': removeSms,
  'instance.sms.configtwilio.removed': removeSms,
}

function setOidc(state: InstanceState, event: PeerEvent): void {
  state.oidc = { values: { ...state.oidc?.values, ...take(event, OIDC) }, event }
}

function setName(state: InstanceState, event: PeerEvent): void {
  state.name = optional(event, 'name', text) ?? state.name
}

export const instance: Folding<InstanceState> = {
  aggregateType: 'instance',
  initial: () => ({
    name: '',
    defaultOrganizationId: '',
    defaultLanguage: '',
    apiProjectId: '',
    primaryDomain: '',
    domains: new Parts(),
    trustedDomains: new Parts(),
    mailServers: new Parts(),
    activeMailServer: '',
    smsProviders: new Parts(),
    activeSmsProvider: '',
    hasSecretGenerators: false,
  }),
  changes: {
    ...MAIL,
    ...SMS_CHANGES,
    'instance.added': setName,
    'instance.changed': setName,
    'instance.default.org.set': (state, event) => {
      state.defaultOrganizationId = need(event, 'orgId', text)
    },
    'instance.default.language.set': (state, event) => {
      state.defaultLanguage = need(event, 'language', text)
    },
    'instance.iam.project.set': (state, event) => {
      state.apiProjectId = need(event, 'iamProjectId', text)
    },
    'instance.domain.added': ({ domains }, event) => domains.add(need(event, 'domain', text), null, event),
    'instance.domain.primary.set': (state, event) => {
      state.primaryDomain = need(event, 'domain', text)
    },
    'instance.domain.removed': ({ domains }, event) => domains.remove(need(event, 'domain', text)),
    'instance.trusted_domains.added': ({ trustedDomains }, event) =>
      trustedDomains.add(need(event, 'domain', text), null, event),
    'instance.trusted_domains.removed': ({ trustedDomains }, event) =>
      trustedDomains.remove(need(event, 'domain', text)),
    'instance.oidc.settings.added': setOidc,
    'instance.oidc.settings.changed': setOidc,
    'instance.policy.security.set': (state, event) => {
      state.security = { values: { ...state.security?.values, ...take(event, SECURITY) }, event }
    },
    'instance.secret.generator.changed': (state) => {
      state.hasSecretGenerators = true
    },
  },
}

const FLAGS = {
  login_default_org: flag,
  user_schema: flag,
  debug_oidc_parent_error: flag,
  oidc_single_v1_session_termination: flag,
  permission_check_v2: flag,
  console_use_v2_user_api: flag,
  enable_relational_tables: flag,
}

export interface FeatureState {
  readonly flags: Map<string, boolean>
  improvedPerformance?: readonly number[]
  loginV2?: { readonly required: boolean; readonly baseUri: string }
}

export const features: Folding<FeatureState> = {
  aggregateType: 'feature',
  initial: () => ({ flags: new Map() }),
  ends: ['feature.instance.reset'],
  changes: {
    ...Object.fromEntries(
      Object.keys(FLAGS).map((name) => [
        `feature.instance.${name}.set`,
        ({ flags }: FeatureState, event: PeerEvent) => flags.set(name, optional(event, 'Value', flag) ?? false),
      ]),
    ),
    'feature.instance.improved_performance.set': (state, event) => {
      const value = optional(event, 'Value', anything)
      state.improvedPerformance = Array.isArray(value) ? value.filter((one) => Number.isSafeInteger(one)) : []
    },
    'feature.instance.login_v2.set': (state, event) => {
      const value = optional(event, 'Value', object) ?? {}
      state.loginV2 = { required: value.required === true, baseUri: url(value.base_uri) ?? '' }
    },
  },
}

export interface WebKeyState {
  state: 'initial' | 'active' | 'inactive'
  privateKey?: CryptoValue
}

export const webKeys: Folding<WebKeyState> = {
  aggregateType: 'web_key',
  initial: () => ({ state: 'initial' }),
  begins: ['web_key.added'],
  ends: ['web_key.removed'],
  changes: {
    'web_key.added': (key, event) => {
      key.privateKey = need(event, 'privateKey', crypto)
    },
    'web_key.activated': (key) => {
      key.state = 'active'
    },
    'web_key.deactivated': (key) => {
      key.state = 'inactive'
    },
  },
}
