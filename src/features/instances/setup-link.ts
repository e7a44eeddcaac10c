/**
 * The one-time link to set up the first administrator in the browser, or to restore the access of an administrator. Only a
 * hash of its code is stored.
 */

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newLongCode } from '../../crypto/codes.ts'
import { hashSecret, matchesHash } from '../../crypto/tokens.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { PATHS } from '../../kernel/page-paths.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Origin, Store, Work } from '../../store/index.ts'
import { endingsOf } from '../generations/index.ts'
import type { OpenSetupCode, SetupCode } from './decider.ts'
import { findInstance, setupCodes } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

const SEVEN_DAYS_IN_MS = 7 * 24 * 60 * 60 * 1000

/** What ends a link that nobody has used. */
const endings = endingsOf(setupCodes)

export interface SetupLink {
  readonly url: string
  readonly expiresAt: Instant
}

/** The URL of the setup page for this user and code. */
function formatSetupLink(externalUrl: string, userId: string, code: string): string {
  const url = new URL(PATHS.setUp, externalUrl)
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
  const generations = await endings.now(work, { userId })
  await work.decide(setupCodes, userId, { type: 'issue', hash, expiresAt, generations }, instanceId)
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

/** Stores a link that restores the access of an administrator, as part of a write. It replaces an earlier one. */
export async function issueRecoveryLink(
  work: Work,
  instanceId: string,
  userId: string,
  { hash, expiresAt, resetsFactors }: NewSetupLink & { readonly resetsFactors: boolean },
): Promise<void> {
  const generations = await endings.now(work, { userId })
  const command = { type: 'recover', hash, expiresAt, resetsFactors, generations } as const
  await work.decide(setupCodes, userId, command, instanceId)
}

/** The open code of a user, if this is it and it has not expired. */
export async function findOpenSetupCode(
  { store }: Pick<App, 'store'>,
  { userId, code }: { readonly userId: string; readonly code: string },
  at: Instant,
): Promise<OpenSetupCode | undefined> {
  const state = (await store.get(setupCodes, userId))?.state
  if (state?.status !== 'open' || !matchesHash(code, state.secret.hash) || at >= state.expiresAt) return undefined
  return (await endings.isCurrent(store, { userId }, state.generations)) ? state : undefined
}

/** Whether a link as it was written to a file can still be used. */
export async function isSetupLinkOpen(app: Pick<App, 'store'>, link: string, at: Instant): Promise<boolean> {
  const query = URL.parse(link.trim())?.searchParams
  const given = { userId: query?.get('user') ?? '', code: query?.get('code') ?? '' }
  return (await findOpenSetupCode(app, given, at)) !== undefined
}

/** Uses a code as part of the write that sets the user up: right, unexpired and for the first time, or refused. */
export async function useSetupCode(work: Work, userId: string, code: string): Promise<SetupCode | undefined> {
  const document = await work.get(setupCodes, userId)
  const hash = document?.state.status === 'open' ? document.state.secret.hash : ''
  const matches = matchesHash(code, hash)
  const now = await endings.now(work, { userId })
  await work.decide(setupCodes, userId, { type: 'use', matches, hash, at: work.origin.at, now }, document?.owner ?? '')
  return document?.state
}

/** Holds the link with which the first administrator sets up, in the data folder. */
export const SETUP_LINK_FILE = 'setup-link'

/** Removes the file with the link once that was used, replaced or has expired; a dead secret only misleads. */
export async function removeDeadSetupLink(app: Pick<App, 'store'>, dataDir: string, at: Instant): Promise<void> {
  const path = join(dataDir, SETUP_LINK_FILE)
  const link = await readFile(path, 'utf8').catch(() => undefined)
  if (link !== undefined && !(await isSetupLinkOpen(app, link, at))) await rm(path, { force: true })
}
