/** The session of a browser: what its cookie says, with a fresh access token where the app needs one. */
import { createHash } from 'node:crypto'
import type { JWTPayload } from 'jose'
import { ResponseBodyError, refreshTokenGrant } from 'openid-client'
import { endedKey } from './backchannel.ts'
import { sealedCookie } from './cookies.ts'
import type { Issuer } from './issuer.ts'
import { type Caller, callerOf } from './people.ts'
import type { Settings } from './settings.ts'

export interface Session extends Caller {
  /** For the API that the setting `resource` names. */
  readonly accessToken: string | undefined
  /** To be sent as `set-cookie`, unless the response was handed in. */
  readonly cookies: readonly string[]
}

/** The tokens beside the claims. */
export interface Kept extends JWTPayload {
  readonly idToken?: string
  readonly accessToken?: string
  readonly accessUntil?: number
  readonly refreshToken?: string
  /** When the person signed in, once the tokens were renewed. */
  readonly startedAt?: number
}

/** A token that ends in the next seconds is renewed: the call that it is for takes time, too. */
const EARLY_S = 30
/** Browsers send requests side by side, the last of them with a refresh token that is used up. */
const SHARED_MS = 60_000

export type Sessions = ReturnType<typeof sessionsOf>

/** What tokens of an answer are kept. */
export function keptTokens(
  answer: { readonly access_token: string; readonly refresh_token?: string; readonly expires_in?: number },
  { now, resource }: Settings,
): Kept {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds = 0 } = answer
  if (resource === undefined) return {}
  const accessUntil = Math.floor(now().getTime() / 1000) + seconds
  return { accessToken, accessUntil, ...(refreshToken !== undefined && { refreshToken }) }
}

export function sessionsOf(settings: Settings, issuer: Issuer) {
  const { now, resource, sessionSeconds, store } = settings
  const cookie = sealedCookie(settings, 'session')
  const refreshing = new Map<string, Promise<Kept | undefined>>()

  /** Undefined: the refresh token is over, and so is the session. */
  const renew = async (refreshToken: string): Promise<Kept | undefined> => {
    try {
      const parameters = resource === undefined ? {} : { resource }
      const answer = await refreshTokenGrant(await issuer.configuration(), refreshToken, parameters)
      return keptTokens({ refresh_token: refreshToken, ...answer }, settings)
    } catch (error) {
      if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined
      throw error
    }
  }

  const renewOnce = (refreshToken: string): Promise<Kept | undefined> => {
    const key = createHash('sha256').update(refreshToken).digest('base64url')
    const running = refreshing.get(key)
    if (running !== undefined) return running
    const renewed = renew(refreshToken)
    refreshing.set(key, renewed)
    const forget = () => refreshing.delete(key)
    renewed.then(() => setTimeout(forget, SHARED_MS).unref(), forget)
    return renewed
  }

  const hasEnded = async ({ sid, sub, iat = 0, startedAt = iat }: Kept): Promise<boolean> => {
    if (store === undefined) return false
    const answers = await Promise.all([store.get(endedKey('sid', sid)), store.get(endedKey('sub', sub))])
    return answers.some((at) => at !== undefined && at !== null && startedAt <= Number(at))
  }

  const sessionFrom = (kept: Kept, cookies: readonly string[]): Session => {
    const { idToken: _, accessToken, accessUntil = 0, refreshToken: __, ...claims } = kept
    const isFresh = accessUntil > now().getTime() / 1000
    return { ...callerOf(claims), accessToken: isFresh ? accessToken : undefined, cookies }
  }

  return {
    cookie,
    /** Undefined: nobody is signed in. */
    async find(header: string): Promise<Session | undefined> {
      const kept: Kept | undefined = await cookie.read(header)
      if (kept === undefined || (await hasEnded(kept))) return undefined
      const { accessUntil = 0, exp = 0, iat: _, refreshToken, ...rest } = kept
      const at = now().getTime() / 1000
      if (refreshToken === undefined || accessUntil - at > EARLY_S) return sessionFrom(kept, [])
      const renewed = await renewOnce(refreshToken)
      if (renewed === undefined) return undefined
      // The session ends when it would have ended without the new token.
      const next = { ...rest, ...renewed, ...(kept.iat !== undefined && { startedAt: kept.startedAt ?? kept.iat }) }
      return sessionFrom(next, await cookie.write(next, Math.max(1, Math.floor(exp - at)), header))
    },
    /** What a signed-in browser gets. */
    start: (kept: Kept, header: string) => cookie.write(kept, sessionSeconds, header),
    /** The ID token of a session, to sign out without a question. */
    async idToken(header: string): Promise<string | undefined> {
      return ((await cookie.read(header)) as Kept | undefined)?.idToken
    },
  }
}
