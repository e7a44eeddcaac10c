/** A real OpenID provider, over http or TLS, and a simulated browser that signs in there. */
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider'

export const CLIENT = { id: 'signet-client', secret: 'the secret of the upstream client 1' }

export interface Upstream {
  readonly issuer: string
  /** The claims of the accounts at the provider. */
  readonly people: Map<string, Record<string, unknown>>
  /** Signs an account in, from the authorization URL to the parameters that the browser brings back. */
  signIn(authUrl: string, account: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export interface UpstreamOptions {
  readonly redirectUri: string
  readonly tls?: { readonly key: Buffer; readonly cert: Buffer }
  readonly overrides?: Configuration
  /** Fetches like the browser: trusts the certificate, keeps cookies by hand. */
  readonly fetch: (
    url: string,
    init: { headers: Record<string, string>; body?: string; method?: string },
  ) => Promise<Response>
}

/** Accepts `prompt=select_account`. Signing in counts as the choice. */
function promptPolicy(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const select = new interactionPolicy.Prompt({ name: 'select_account', requestable: true })
  select.checks.clear()
  policy.add(select, 0)
  return policy
}

function configuration(people: Upstream['people'], { redirectUri, overrides }: UpstreamOptions): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username'],
      email: ['email', 'email_verified'],
    },
    pkce: { required: () => true },
    interactions: { policy: promptPolicy() },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['a key for the cookies of a test'] },
    findAccount: (_, id) => {
      const claims = people.get(id)
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
    ...overrides,
  }
}

/** A minimal browser: follows redirects, keeps cookies, fills in forms. */
async function browse(fetch: UpstreamOptions['fetch'], authUrl: string, account: string, redirectUri: string) {
  const cookies = new Map<string, string>()
  let url = authUrl
  let form: string | undefined
  for (let step = 0; step < 12; step++) {
    if (url.startsWith(redirectUri)) return new URL(url).searchParams
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        cookie,
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const html = await response.text()
    form = undefined
    if (location !== null) {
      url = new URL(location, url).href
      continue
    }
    const [, action = ''] = /<form[^>]*action="([^"]+)"/.exec(html) ?? []
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(html) ?? []
    if (action === '') throw new Error(`the provider shows no form: ${html.slice(0, 500)}`)
    url = new URL(action, url).href
    form = new URLSearchParams({ prompt, login: account, password: 'anything' }).toString()
  }
  throw new Error('the sign-in at the provider does not end')
}

/** Opens the provider on a port of its own. */
export async function openUpstream(options: UpstreamOptions): Promise<Upstream> {
  const people: Upstream['people'] = new Map()
  const server = options.tls === undefined ? createHttp() : createHttps(options.tls)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const issuer = `${options.tls === undefined ? 'http' : 'https'}://localhost:${address.port}`
  const provider = new Provider(issuer, configuration(people, options))
  server.on('request', provider.callback())
  return {
    issuer,
    people,
    signIn: (authUrl, account) => browse(options.fetch, authUrl, account, options.redirectUri),
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
