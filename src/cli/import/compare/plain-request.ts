/** Requests of OpenID Connect as anybody could send them: to both servers alike. */
import { NoAnswer } from './ask.ts'

const TIMEOUT_MS = 60_000

export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS), ...init })
  } catch (error) {
    throw new NoAnswer(`${new URL(url).origin} cannot be reached: ${(error as Error).message}`)
  }
}

export async function jsonOf<Value>(url: string): Promise<Value> {
  const response = await request(url)
  if (!response.ok) throw new NoAnswer(`${url} answered ${response.status}.`)
  return (await response.json()) as Value
}

/** Whether a server accepts a request, and what it says when it does not. */
export interface Answered {
  readonly isYes: boolean
  readonly words: string
}

/** A sign-in page, or the way to one on the same server, is a yes. */
export async function plainAnswer(url: string): Promise<Answered> {
  const response = await request(url)
  await response.body?.cancel()
  const location = response.headers.get('location')
  if (location === null) return { isYes: response.ok, words: String(response.status) }
  const next = new URL(location, url)
  const error = next.searchParams.get('error') ?? new URLSearchParams(next.hash.slice(1)).get('error')
  const isYes = next.origin === new URL(url).origin && error === null
  return { isYes, words: error ?? `${response.status} to ${next.host}` }
}

/** What a client gets for itself: the audience of its token; undefined if it gets none. */
export async function ownAudience(
  tokenUrl: string,
  clientId: string,
  secret: string,
): Promise<readonly string[] | undefined> {
  const response = await request(tokenUrl, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'openid' }),
  })
  if (!response.ok) {
    await response.body?.cancel()
    return undefined
  }
  const { access_token: token = '' } = (await response.json()) as { readonly access_token?: string }
  const [, payload = ''] = token.split('.')
  try {
    const { aud = [] } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      readonly aud?: string | string[]
    }
    return typeof aud === 'string' ? [aud] : aud
  } catch {
    // A token that only its server reads has no audience that an API sees.
    return []
  }
}
