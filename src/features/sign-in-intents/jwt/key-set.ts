/** The key sets of providers with signed tokens: fetched by the guarded fetch, in bounds, and remembered for a while. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import type { Instant } from '../../../kernel/instant.ts'
import { SizedCache } from '../../../kernel/sized-cache.ts'
import { type App, perApp } from '../../../module/app.ts'
import { deadlineOf } from '../relying-party.ts'
import { reasonOf, SignInFailed } from '../sign-in-failed.ts'

/** More than any provider has; a small part of them is kept. */
const MOST_BYTES = 100_000
const MOST_CHARACTERS = 2_000_000
const KEPT_MS = 10 * 60_000
/** A key that is not in the set can be a new one; it is not asked for more often than this. */
const SHORTEST_MS = 60_000
/** 4096 bits. Larger keys, and large exponents, would make each check slow. */
const LONGEST_MODULUS = 684
const LONGEST_EXPONENT = 6

interface Remembered {
  readonly keys: JWTVerifyGetKey
  readonly fetchedAt: Instant
}

const remembered = perApp(() => new SizedCache<Remembered>({ characters: MOST_CHARACTERS, longest: 2 * MOST_BYTES }))

function isOfUsualSize({ n = '', e = '' }: { readonly n?: unknown; readonly e?: unknown }): boolean {
  return String(n).length <= LONGEST_MODULUS && String(e).length <= LONGEST_EXPONENT
}

function readKeySet(text: string): JWTVerifyGetKey {
  const { keys, ...rest }: Partial<JSONWebKeySet> = JSON.parse(text)
  if (!Array.isArray(keys)) throw new SignInFailed('metadata_invalid')
  return createLocalJWKSet({ ...rest, keys: keys.filter((key) => typeof key === 'object' && isOfUsualSize(key ?? {})) })
}

async function fetchKeySet(app: App, url: string): Promise<JWTVerifyGetKey> {
  try {
    const headers = { accept: 'application/json' }
    const response = await app.fetchOutside(url, { headers, mostBytes: MOST_BYTES, signal: deadlineOf(app) })
    // A redirect, too: the address is the one that was configured.
    if (response.status !== 200) throw response
    const text = await response.text()
    const keys = readKeySet(text)
    remembered(app).set(url, { keys, fetchedAt: app.clock() }, text.length)
    return keys
  } catch (error) {
    throw error instanceof SignInFailed ? error : new SignInFailed(reasonOf(error, 'discovery'), { cause: error })
  }
}

/** The keys at an address, which are fetched again for a key that is not among them. Throws `SignInFailed`. */
export function keysAt(app: App, url: string): JWTVerifyGetKey {
  return async (header, token) => {
    const known = remembered(app).get(url)
    const age = known === undefined ? Number.POSITIVE_INFINITY : app.clock() - known.fetchedAt
    if (known === undefined || age > KEPT_MS) return (await fetchKeySet(app, url))(header, token)
    try {
      return await known.keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || age < SHORTEST_MS) throw error
      return (await fetchKeySet(app, url))(header, token)
    }
  }
}
