/** An app with the kit, and a browser that keeps its cookies. The issuer is played. */
import { signet } from '../../packages/server/index.ts'
import type { Options } from '../../packages/server/settings.ts'
import type { PlayedIssuer } from './played-issuer.ts'

export const APP = 'http://localhost:3000'
export const SECRET = 'a session secret of at least 32 characters'

export type Kit = ReturnType<typeof signet>

export function openKit(issuer: PlayedIssuer, more: Options = {}): Kit {
  return signet({
    issuer: issuer.url,
    clientId: 'shop',
    clientSecret: 'the secret',
    appUrl: APP,
    sessionSecret: SECRET,
    audience: 'http://localhost:3000/api',
    ...more,
  })
}

export interface Jar {
  readonly cookies: Map<string, string>
  header(): string
  keep(answer: Response): void
}

export function jar(): Jar {
  const cookies = new Map<string, string>()
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep(answer) {
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (line.includes('Max-Age=0')) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

/** A request of the browser, which keeps what the answer sets. */
export async function visit(kit: Kit, browser: Jar, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await kit.handle(new Request(`${APP}${path}`, { headers: { cookie: browser.header(), ...headers } }))
  browser.keep(answer)
  return answer
}

/** Starts a sign-in and answers what it asks the issuer for. */
export async function startSignIn(kit: Kit, browser: Jar, query = '') {
  const answer = await visit(kit, browser, `/auth/sign-in${query}`)
  const asked = new URL(answer.headers.get('location') ?? '').searchParams
  return { state: asked.get('state') ?? '', nonce: asked.get('nonce') ?? '', asked }
}

let codes = 0

/** Makes a code that gets an ID token with this nonce. */
export function codeFor(issuer: PlayedIssuer, nonce: string, more = {}): string {
  codes += 1
  const code = `code-${codes}`
  const authTime = Math.floor(Date.now() / 1000)
  issuer.codes.set(code, issuer.claims('shop', { nonce, sid: 'sid-1', auth_time: authTime, ...more }))
  return code
}

/** Signs in; answers the answer of the callback. */
export async function signIn(kit: Kit, issuer: PlayedIssuer, browser: Jar, query = '', claims = {}) {
  const { state, nonce } = await startSignIn(kit, browser, query)
  return visit(kit, browser, `/auth/callback?code=${codeFor(issuer, nonce, claims)}&state=${state}`)
}

/** Who the kit says is signed in. */
export function sessionOf(kit: Kit, browser: Jar) {
  return kit.session(new Request(APP, { headers: { cookie: browser.header() } }))
}
