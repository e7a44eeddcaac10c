/** Back-channel logout: Signet tells the app that a session has ended (OpenID Connect Back-Channel Logout 1.0). */
import type { Incoming } from './incoming.ts'
import { type Issuer, TokenError } from './issuer.ts'
import type { Settings, Store } from './settings.ts'
import { textAnswer } from './sign-in.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** A store for one process, which forgets when it ends. */
export function memoryStore(): Store {
  const kept = new Map<string, { readonly value: string; readonly until: number }>()
  return {
    async get(key) {
      const { value, until = 0 } = kept.get(key) ?? {}
      return Date.now() < until ? value : undefined
    },
    async set(key, value, seconds) {
      for (const [old, { until }] of kept) if (until <= Date.now()) kept.delete(old)
      kept.set(key, { value, until: Date.now() + seconds * 1000 })
    },
  }
}

/** The key under which the end of a session, or of all sessions of a user, is kept. */
export function endedKey(name: 'sid' | 'sub', value: unknown): string {
  return `signet:ended:${name}:${value}`
}

export function logoutReceiver({ clientId, now, sessionSeconds }: Settings, store: Store, issuer: Issuer) {
  return async (request: Incoming): Promise<Response> => {
    const token = new URLSearchParams(await request.body()).get('logout_token') ?? ''
    const rules = { typ: 'logout+jwt', audience: clientId, maxTokenAge: 300, requiredClaims: ['jti', 'exp', 'events'] }
    try {
      const { events, nonce, sid, sub } = await issuer.verify(token, rules)
      // §2.6: what has a nonce is an ID token, whatever else it says.
      if (!(EVENT in (events as object)) || nonce !== undefined || (sid ?? sub) === undefined)
        throw new TokenError('It is another kind of token.')
      const key = sid === undefined ? endedKey('sub', sub) : endedKey('sid', sid)
      await store.set(key, String(Math.floor(now().getTime() / 1000)), sessionSeconds)
      return textAnswer(200, '')
    } catch (error) {
      if (error instanceof TokenError) return textAnswer(400, 'This is no logout token for this app.')
      throw error
    }
  }
}
