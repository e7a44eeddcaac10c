/** The one-time setup link for the first administrator. Only a hash of its code is stored. */
import type { App } from '../../access/app.ts'
import { newLongCode } from '../../crypto/codes.ts'
import { hashSecret, matchesHash } from '../../crypto/tokens.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Origin, Store, Work } from '../../store/index.ts'
import { findInstance, setupCodes } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

const SEVEN_DAYS_IN_MS = 7 * 24 * 60 * 60 * 1000

export interface SetupLink {
  readonly url: string
  readonly expiresAt: Instant
}

/** The URL of the setup page for this user and code. */
export function formatSetupLink(externalUrl: string, userId: string, code: string): string {
  const url = new URL('/setup', externalUrl)
  url.searchParams.set('user', userId)
  url.searchParams.set('code', code)
  return url.href
}

/** A new link. It is valid once its hash is stored. The link itself is shown once and not stored. */
export interface NewSetupLink extends SetupLink {
  readonly hash: string
}

/** Creates a link with a new code. */
export function newSetupLink(externalUrl: string, userId: string, at: Instant): NewSetupLink {
  const code = newLongCode()
  return {
    url: formatSetupLink(externalUrl, userId, code),
    expiresAt: instant(at + SEVEN_DAYS_IN_MS),
    hash: hashSecret(code),
  }
}

/** Makes a new link valid as part of a write, and invalidates the previous one. */
export async function issueSetupLink(
  work: Work,
  instanceId: string,
  userId: string,
  { hash, expiresAt }: NewSetupLink,
): Promise<void> {
  await work.decide(setupCodes, userId, { type: 'issue', hash, expiresAt }, instanceId)
}

/** For the operator: creates a new link for the first administrator, as long as none was used. Runs without an app. */
export async function reissueSetupLink(store: Store, externalUrl: string, origin: Origin): Promise<SetupLink> {
  const instance = await findInstance(store)
  if (instance?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
  const { administratorId } = instance.state
  const link = newSetupLink(externalUrl, administratorId, origin.at)
  await store.write(origin, (work) => issueSetupLink(work, instance.id, administratorId, link))
  return { url: link.url, expiresAt: link.expiresAt }
}

/** Whether a link from a file can still be used. */
export async function isSetupLinkOpen({ store }: Pick<App, 'store'>, link: string): Promise<boolean> {
  const query = URL.parse(link.trim())?.searchParams
  const document = await store.get(setupCodes, query?.get('user') ?? '')
  return document?.state.status === 'open' && matchesHash(query?.get('code') ?? '', document.state.secret.hash)
}

/** Uses a code as part of the write that sets up the user. Refused unless it is right, unexpired and unused. */
export async function useSetupCode(work: Work, userId: string, code: string): Promise<void> {
  const document = await work.get(setupCodes, userId)
  const hash = document?.state.status === 'open' ? document.state.secret.hash : ''
  const matches = matchesHash(code, hash)
  await work.decide(setupCodes, userId, { type: 'use', matches, hash, at: work.origin.at }, document?.owner ?? '')
}
