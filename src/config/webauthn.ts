/** Which pages may ask browsers for passkeys. */
import { isLoopbackHost } from '../kernel/loopback.ts'
import { BadSetting, setting } from './setting.ts'

/** What Android writes for an app, by the fingerprint of its certificate, in place of an origin. */
const ANDROID_APP = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/

function readOrigin(text: string): string {
  if (ANDROID_APP.test(text)) return text
  const url = URL.parse(text)
  const isOrigin = url !== null && (text === url.origin || text === `${url.origin}/`)
  // Browsers have passkeys on secure pages only; those of the machine itself are secure.
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (isOrigin && isSecure) return url.origin
  throw new BadSetting('must be a list of origins without paths, such as https://login.example.com.')
}

export const webauthnSettings = {
  webauthnOrigins: setting({
    name: 'SIGNET_WEBAUTHN_ORIGINS',
    defaultText: 'the public origin',
    meaning:
      'Comma-separated origins that may register and use passkeys, in addition to the public origin: `https://login.example.com`, or `android:apk-key-hash:…` for an app. `/.well-known/webauthn` lists them. If neither this nor `SIGNET_EXTERNAL_URL` is set, every origin is allowed.',
    read: (text): readonly string[] =>
      (text ?? '')
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map(readOrigin),
  }),
} as const

/** The origins whose pages may ask for passkeys; undefined: those of whichever domain is asked for. */
export function allowedOrigins(
  {
    externalUrl,
    webauthnOrigins,
  }: {
    readonly externalUrl: string | undefined
    readonly webauthnOrigins: readonly string[]
  },
  /** Where the world finds the server, whether that was set or not. */
  publicOrigin: string,
): readonly string[] | undefined {
  return externalUrl === undefined && webauthnOrigins.length === 0
    ? undefined
    : [...new Set([new URL(publicOrigin).origin, ...webauthnOrigins])]
}
