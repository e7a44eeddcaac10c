/** What the kit is given, read once: a wrong setting throws when the app starts, and says its name. */

/** Keeps what must be known to all processes of the app: Redis, a table, or `memoryStore()` for one process. */
export interface Store {
  get(key: string): Promise<string | null | undefined>
  set(key: string, value: string, seconds: number): Promise<unknown>
}

export interface Options {
  /** The address of Signet; `ISSUER`. */
  readonly issuer?: string
  /** `CLIENT_ID`. */
  readonly clientId?: string
  /** `CLIENT_SECRET`. */
  readonly clientSecret?: string
  /** Where browsers find the app; `APP_URL`. An API that signs nobody in has none. */
  readonly appUrl?: string
  /** At least 32 characters; `SESSION_SECRET`. Of several, the first encrypts and all decrypt. */
  readonly sessionSecret?: string | readonly string[]
  /** The address of this API, which access tokens must be for; `AUDIENCE`. */
  readonly audience?: string
  readonly scope?: string
  /** The API that the app calls with the access tokens of its users. */
  readonly resource?: string
  /** Where the paths of the kit begin: `/auth/sign-in`, `/auth/callback`, `/auth/sign-out`, `/auth/backchannel-logout`. */
  readonly path?: string
  /** How long a session lasts, at most. */
  readonly sessionSeconds?: number
  /** How long an answer about an opaque token is remembered: 0 to 30. */
  readonly introspectionSeconds?: number
  /** Knows which sessions Signet has ended. Without it there is no back-channel logout. */
  readonly store?: Store
  /** For tests. */
  readonly now?: () => Date
}

export type Settings = ReturnType<typeof readSettings>

const ENV = {
  issuer: 'ISSUER',
  clientId: 'CLIENT_ID',
  clientSecret: 'CLIENT_SECRET',
  appUrl: 'APP_URL',
  sessionSecret: 'SESSION_SECRET',
  audience: 'AUDIENCE',
} as const
const OTHERS = ['scope', 'resource', 'path', 'sessionSeconds', 'introspectionSeconds', 'store', 'now']

const SCOPE = 'openid profile email urn:zitadel:iam:org:projects:roles urn:zitadel:iam:user:resourceowner'

export class SettingError extends Error {
  override readonly name = 'SettingError'
}

function wrong(setting: string, problem: string): never {
  const variable = setting in ENV ? ` (${ENV[setting as keyof typeof ENV]})` : ''
  throw new SettingError(`${setting}${variable} ${problem}`)
}

function addressOf(setting: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : wrong(setting, `is not a URL: ${text}`)
  const isLocal = url.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol !== 'https:' && !isLocal)
    wrong(setting, `must be an https URL, or an http URL of this machine: ${text}`)
  if (url.search + url.hash + url.username !== '') wrong(setting, 'must have no query, fragment or user')
  return url
}

function numberOf(setting: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most) wrong(setting, `must be a whole number from 0 to ${most}`)
  return value
}

/** The settings; those that are not given are read from the environment. */
export function readSettings(given: Options, env: Readonly<Record<string, string | undefined>>) {
  const unknown = Object.keys(given).find((name) => !(name in ENV) && !OTHERS.includes(name))
  if (unknown !== undefined) wrong(unknown, 'is not a setting')
  const textOf = (name: Exclude<keyof typeof ENV, 'sessionSecret'>) => given[name] ?? env[ENV[name]] ?? ''
  const needed = (name: 'issuer' | 'clientId' | 'clientSecret') => textOf(name) || wrong(name, 'is missing')
  const appUrl = textOf('appUrl') === '' ? undefined : addressOf('appUrl', textOf('appUrl'))
  if (appUrl !== undefined && appUrl.pathname !== '/') wrong('appUrl', 'must have no path')
  const audience = textOf('audience') || undefined
  if (audience !== undefined) addressOf('audience', audience)
  if (appUrl === undefined && audience === undefined)
    wrong('appUrl', 'is missing, and so is audience (AUDIENCE) of an API')
  const secrets = [given.sessionSecret ?? env[ENV.sessionSecret] ?? ''].flat()
  if (appUrl !== undefined && (secrets.length === 0 || secrets.some((one) => one.length < 32)))
    wrong('sessionSecret', 'must have at least 32 characters, such as the output of: openssl rand -base64 32')
  const { path = '/auth', scope = SCOPE, sessionSeconds = 8 * 3600, introspectionSeconds = 30 } = given
  if (!/^\/[\w/-]*\w$/.test(path)) wrong('path', 'must begin with a slash and end without one')
  return {
    issuer: addressOf('issuer', needed('issuer')).href.replace(/\/$/, ''),
    clientId: needed('clientId'),
    clientSecret: needed('clientSecret'),
    appUrl,
    secrets,
    audience,
    scope,
    resource: given.resource,
    path,
    sessionSeconds: numberOf('sessionSeconds', sessionSeconds, 30 * 86_400),
    introspectionSeconds: numberOf('introspectionSeconds', introspectionSeconds, 30),
    store: given.store,
    now: given.now ?? (() => new Date()),
  }
}
