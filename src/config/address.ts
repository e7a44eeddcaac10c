/** Where the one port listens, under which name the world knows it, and its certificate. */
import { existsSync } from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import { BadSetting, setting } from './setting.ts'

/** A host and port to listen on; port 0 lets the system choose. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** Docker and Podman leave these files in their containers; Kubernetes sets a variable. */
const isInContainer =
  existsSync('/.dockerenv') || existsSync('/run/.containerenv') || process.env.KUBERNETES_SERVICE_HOST !== undefined

/** Without a setting, the server is for this machine. In a container it is for whoever the container lets in. */
export function defaultListen(inContainer: boolean = isInContainer): Listen {
  return { host: inContainer ? '0.0.0.0' : '127.0.0.1', port: 8080 }
}

/** Reads `host:port`. */
export function readListen(text: string): Listen {
  const match = /^(?:\[(?<six>[0-9a-fA-F:.%]+)\]|(?<name>[A-Za-z0-9._-]*)):(?<port>\d{1,5})$/.exec(text)
  const port = Number(match?.groups?.port)
  const six = match?.groups?.six
  if (!match || port > 65535 || (six !== undefined && !isIPv6(six))) {
    throw new BadSetting('must be host:port, such as 0.0.0.0:8080 or [::]:8080.')
  }
  return { host: six ?? (match.groups?.name || '0.0.0.0'), port }
}

/** As it is read again. */
export function listenText({ host, port }: Listen): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function readOrigin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const isOrigin = url !== null && (text === url.origin || text === `${url.origin}/`)
  if (!isOrigin || !/^https?:$/.test(url.protocol)) {
    throw new BadSetting('must be an origin without a path, such as https://id.example.com.')
  }
  return url.origin
}

function readOrigins(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(/[\s,]+/)
    .filter((origin) => origin !== '')
    .map((origin) => readOrigin(origin) ?? '')
}

function readNetworks(text: string | undefined): readonly string[] {
  const networks = (text ?? '').split(/[\s,]+/).filter((network) => network !== '')
  for (const network of networks) {
    const [address = '', prefix, more] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
    if (isIP(address) === 0 || !isNetwork || more !== undefined) {
      throw new BadSetting(`must be addresses or networks, such as 10.0.0.0/8; ${network} is neither.`)
    }
  }
  return networks
}

export const addressSettings = {
  listen: setting({
    name: 'SIGNET_LISTEN',
    defaultText: '`127.0.0.1:8080`; in a container `0.0.0.0:8080`',
    meaning:
      'Address to listen on, `host:port`. `0.0.0.0:8080` accepts connections from other machines. Put an IPv6 host in brackets.',
    read: (text): Listen => (text === undefined ? defaultListen() : readListen(text)),
  }),
  externalUrl: setting({
    name: 'SIGNET_EXTERNAL_URL',
    defaultText: '`http://localhost:<port>`',
    meaning:
      'Public origin of the server, used in email links, as issuer and as relying party ID. If it is not set, any host name works. With a certificate the default uses `https`.',
    read: readOrigin,
  }),
  allowedRedirects: setting({
    name: 'SIGNET_ALLOWED_REDIRECTS',
    defaultText: 'none',
    meaning:
      'Comma-separated origins that a browser may be redirected to after sign-in with an identity provider, in addition to the public origin. If neither this nor `SIGNET_EXTERNAL_URL` is set, every `https` origin and this machine are allowed.',
    read: readOrigins,
  }),
  trustedProxies: setting({
    name: 'SIGNET_TRUSTED_PROXIES',
    defaultText: 'none',
    meaning:
      'Comma-separated addresses and networks of the proxies in front of the server, such as `10.0.0.0/8`. Only their `Forwarded` and `X-Forwarded-For` headers say which address a request comes from.',
    read: readNetworks,
  }),
  tlsCertFile: setting({
    name: 'SIGNET_TLS_CERT_FILE',
    defaultText: 'unset = cleartext',
    meaning: 'PEM file with the certificate and its chain. If set, the port accepts only TLS.',
    read: (text) => text,
  }),
  tlsKeyFile: setting({
    name: 'SIGNET_TLS_KEY_FILE',
    defaultText: 'unset',
    meaning: 'PEM file with the private key of the certificate.',
    read: (text) => text,
  }),
} as const
