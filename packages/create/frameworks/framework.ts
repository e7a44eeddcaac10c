/**
 * What a row of the list of frameworks declares. Rows are data: the console, the documentation and the tests fill the same
 * texts with the values of an application. Nothing here is of Node, because browsers read it too.
 */

/** What is registered for an app of this framework. */
export type AppKind = 'web' | 'spa' | 'native' | 'api'

export interface Framework {
  /** As people know it; the same in all languages. */
  readonly label: string
  /** The program that its lines are run with. */
  readonly needs: '' | 'node' | 'python3' | 'go' | 'mvn' | 'dotnet'
  /** A project is one of it if it has this file, and one of these words in it where there are any. */
  readonly detect?: { readonly file: string; readonly names: readonly string[] }
  readonly kind: AppKind
  /** Where an app of this kind listens while it is developed. */
  readonly address: string
  readonly callbackPath: string
  /** Where its library sends people after the sign-out, after the address. */
  readonly signedOutPaths: readonly string[]
  /** From an empty folder to a project; those who have one leave them out. */
  readonly create: readonly string[]
  /** Empty where a file of the project says what it needs. */
  readonly install: string
  /** With `{origin}` and `{port}` of the app. */
  readonly run: string
  /** Under `files` beside the declaration and under the same path in the project, in the order in which they are read. */
  readonly files: readonly string[]
  /** Which of them every project has already: there, they are examples of how to use the others. */
  readonly pages?: readonly string[]
  /** The lines of `.env`: the name and a text with placeholders, the names of `SettingValues`, `origin`, `port` and `random`. */
  readonly settings: Readonly<Record<string, string>>
  /** How our tests run it: each line as it is printed, from an empty folder. */
  readonly runs: 'in a browser' | 'by calls' | 'not yet'
}

/** What a snippet finds in its settings. */
export interface SettingValues {
  readonly issuer: string
  readonly clientId: string
  /** The address of an API, which its tokens are for. Undefined: not known here, or this is no API. */
  readonly audience: string | undefined
  /** Undefined: it was shown when it was made, and is known to nobody here. */
  readonly clientSecret: string | undefined
  /** The first ones that are registered. */
  readonly redirectUri: string
  readonly postLogoutRedirectUri: string
}

/** What stands for a secret, or for the address of an API, that is not known here. */
export const UNKNOWN_SECRET = 'YOUR_CLIENT_SECRET'
export const UNKNOWN_AUDIENCE = 'YOUR_API_ADDRESS'

export const CLIENT = { ISSUER: '{issuer}', CLIENT_ID: '{clientId}', CLIENT_SECRET: '{clientSecret}' } as const
export const ADDRESSES = { REDIRECT_URI: '{redirectUri}', POST_LOGOUT_REDIRECT_URI: '{postLogoutRedirectUri}' } as const

/** Vite puts what begins with VITE_ into the page. */
export const IN_THE_PAGE = {
  VITE_ISSUER: '{issuer}',
  VITE_CLIENT_ID: '{clientId}',
  VITE_REDIRECT_URI: '{redirectUri}',
  VITE_POST_LOGOUT_REDIRECT_URI: '{postLogoutRedirectUri}',
} as const

export const SERVER = {
  kind: 'web',
  address: 'http://localhost:3000',
  callbackPath: '/callback',
  signedOutPaths: ['/'],
} as const
export const PAGE = { kind: 'spa', address: 'http://localhost:5173', callbackPath: '/', signedOutPaths: ['/'] } as const

/** Modules, as the files are written. */
export const NEW_NODE_PROJECT = ['mkdir my-app && cd my-app', 'npm init -y && npm pkg set type=module'] as const

/** For runtimes that read the environment and no file. */
export const WITH_ENV = 'set -a; . ./.env; set +a'

function fill(text: string, values: Readonly<Record<string, string | (() => string)>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return typeof value === 'function' ? value() : (value ?? whole)
  })
}

function originOf(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined
}

/** The settings of an app. `random` makes a key of 32 bytes in base64url. */
export function settingsOf(
  { settings }: Framework,
  { clientSecret = UNKNOWN_SECRET, audience = UNKNOWN_AUDIENCE, ...values }: SettingValues,
  random: () => string,
): Readonly<Record<string, string>> {
  const at = originOf(values.redirectUri)
  const all = { ...values, clientSecret, audience, origin: at?.origin ?? '', port: at?.port || '80', random }
  return Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, fill(text, all)]))
}

/** The line that starts an app that is registered with this redirect URI. */
export function runLineOf({ run, address }: Framework, redirectUri: string): string {
  const origin = originOf(redirectUri) ?? originOf(address)
  return fill(run, { origin: origin?.origin ?? '', port: origin?.port || '80' })
}

/** The redirect and sign-out URIs that an app of this framework uses at an address. */
export function proposedUris(framework: Framework, address: string) {
  const base = address.trim().replace(/\/+$/, '')
  if (base === '' || framework.callbackPath === '') return { redirectUris: [], postLogoutRedirectUris: [] }
  return {
    redirectUris: [`${base}${framework.callbackPath}`],
    postLogoutRedirectUris: framework.signedOutPaths.map((path) => `${base}${path}`),
  }
}

/** The settings as the text of a file. */
export function envFileOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** A file of a row as its reader gets it: comments for our own checks are of no use to them. */
export function codeOf(text: string): string {
  return text.replaceAll(/^.*biome-ignore.*\n/gm, '').trimEnd()
}
