/** The rules of grants: a code counts once, a refresh token counts once, and what was revoked stays revoked. Pure. */
import { accept, type Decider, refuse } from '../../kernel/decider.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { GrantEvent, GrantSubject, SecretHash } from './events.ts'
import type { GrantRefusal } from './refusals.ts'

export interface IssuedCode {
  readonly secret: SecretHash
  readonly redirectUri: string
  readonly codeChallenge?: string
  readonly dpopKey?: string
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

export interface IssuedToken {
  readonly secret: SecretHash
  readonly scope: string
  /** The grant type that it came from, as `oidc-provider` notes it. */
  readonly grantType: string
  readonly dpopKey?: string
  /** Whether an access token was issued after the session of its grant had ended. */
  readonly isOffline?: boolean
  readonly issuedAt: Instant
  readonly expiresAt: Instant
}

/** A refresh token that was used. */
export interface UsedToken {
  readonly hash: string
  readonly usedAt: Instant
}

export interface OpenGrant {
  readonly status: 'open'
  readonly subject: GrantSubject
  readonly code?: IssuedCode & { readonly isRedeemed: boolean }
  /** The last one; a newer access token takes the place of the one before. */
  readonly access?: IssuedToken
  readonly refresh?: IssuedToken & { readonly isUsed: boolean }
  /** When the first refresh token was issued; all of them end a fixed time later. */
  readonly refreshSince?: Instant
  /** The latest refresh tokens that were used, to notice when one is used again. */
  readonly usedRefresh: readonly UsedToken[]
  /** How many access tokens were revoked. */
  readonly revocations: number
  /** When the last code or token expires, or when the session ends at the latest if its application is told then. */
  readonly endsAt: Instant
}

/** `endsAt` is when it was revoked. */
export interface RevokedGrant {
  readonly status: 'revoked'
  readonly endsAt: Instant
}

export type Grant = { readonly status: 'unknown' } | OpenGrant | RevokedGrant

export type GrantCommand =
  | {
      readonly type: 'open'
      readonly subject: GrantSubject
      readonly code?: IssuedCode
      readonly access?: IssuedToken
      readonly at: Instant
    }
  | { readonly type: 'redeem_code' }
  | { readonly type: 'issue_access_token'; readonly token: IssuedToken }
  | { readonly type: 'issue_refresh_token'; readonly token: IssuedToken }
  | { readonly type: 'use_refresh_token'; readonly hash: string; readonly at: Instant }
  /** Something that counts once was shown again: the refresh token of this hash, or a code. */
  | { readonly type: 'reuse'; readonly of: { readonly refreshHash: string } | 'code'; readonly at: Instant }
  | { readonly type: 'revoke_access_token' }
  | {
      readonly type: 'revoke'
      readonly reason: 'requested' | 'code_reused' | 'refresh_token_reused' | 'by_user'
      readonly at: Instant
    }

/** How many used refresh tokens a grant remembers. An older one is refused like an unknown one. */
const REMEMBERED = 100

/**
 * A refresh token that is shown again so soon is no sign of a thief: two tabs of a browser, or an answer that got lost. It
 * is refused, and the grant stays.
 */
const REUSE_GRACE_MS = 30_000

function later(endsAt: Instant, other: Instant): Instant {
  return other > endsAt ? other : endsAt
}

function evolveOpen(grant: OpenGrant, event: GrantEvent): Grant {
  switch (event.type) {
    case 'grant.opened.v1':
      return grant
    case 'grant.code_issued.v1':
      return { ...grant, code: { ...event.data, isRedeemed: false }, endsAt: later(grant.endsAt, event.data.expiresAt) }
    case 'grant.code_redeemed.v1':
      return grant.code === undefined ? grant : { ...grant, code: { ...grant.code, isRedeemed: true } }
    case 'grant.access_token_issued.v1':
      return { ...grant, access: event.data, endsAt: later(grant.endsAt, event.data.expiresAt) }
    case 'grant.access_token_revoked.v1': {
      const { access: _, ...rest } = grant
      return { ...rest, revocations: grant.revocations + 1 }
    }
    case 'grant.refresh_token_issued.v1':
      return {
        ...grant,
        refresh: { ...event.data, isUsed: false },
        refreshSince: grant.refreshSince ?? event.data.issuedAt,
        endsAt: later(grant.endsAt, event.data.expiresAt),
      }
    case 'grant.refresh_token_used.v1':
      return grant.refresh === undefined
        ? grant
        : {
            ...grant,
            refresh: { ...grant.refresh, isUsed: true },
            usedRefresh: [...grant.usedRefresh, usedToken(grant.refresh, event.data.usedAt)].slice(-REMEMBERED),
          }
    case 'grant.revoked.v1':
      return { status: 'revoked', endsAt: grant.endsAt }
  }
}

/** Events from before the time was recorded count as long ago. */
function usedToken({ secret, issuedAt }: IssuedToken, usedAt: Instant = issuedAt): UsedToken {
  return { hash: secret.hash, usedAt }
}

/** Whether a second use means that somebody else has the code or token. A code is used by a server, and by it alone. */
function isTheft(grant: OpenGrant, { of, at }: Extract<GrantCommand, { type: 'reuse' }>): boolean {
  if (of === 'code') return true
  const used = grant.usedRefresh.find(({ hash }) => hash === of.refreshHash)
  return used !== undefined && at - used.usedAt >= REUSE_GRACE_MS
}

function open({ subject, code, access }: Extract<GrantCommand, { type: 'open' }>): readonly GrantEvent[] {
  return [
    { type: 'grant.opened.v1', data: subject },
    ...(code === undefined ? [] : [{ type: 'grant.code_issued.v1', data: code } as const]),
    ...(access === undefined ? [] : [{ type: 'grant.access_token_issued.v1', data: access } as const]),
  ]
}

export const grant: Decider<GrantCommand, Grant, GrantEvent, GrantRefusal> = {
  initial: { status: 'unknown' },

  evolve(state, event) {
    if (state.status === 'open') return evolveOpen(state, event)
    if (state.status === 'revoked' || event.type !== 'grant.opened.v1') return state
    const { nonce, ...subject } = event.data
    const { authenticatedAt, logoutUntil = authenticatedAt } = subject
    const endsAt = later(authenticatedAt, logoutUntil)
    const secret = nonce === undefined ? {} : { secret: { nonce } }
    return { status: 'open', subject: { ...subject, ...secret }, usedRefresh: [], revocations: 0, endsAt }
  },

  decide(command, state) {
    if (command.type === 'open') {
      return state.status === 'unknown' ? accept(...open(command)) : refuse('grant.id_taken')
    }
    if (state.status === 'unknown') return refuse('grant.not_found')
    if (state.status === 'revoked') {
      return command.type === 'revoke' || command.type === 'reuse' ? accept() : refuse('grant.revoked')
    }
    switch (command.type) {
      case 'redeem_code':
        return state.code?.isRedeemed === false
          ? accept({ type: 'grant.code_redeemed.v1', data: {} })
          : refuse('grant.code_used')
      case 'issue_access_token':
        return accept({ type: 'grant.access_token_issued.v1', data: command.token })
      case 'issue_refresh_token':
        return accept({ type: 'grant.refresh_token_issued.v1', data: command.token })
      case 'use_refresh_token':
        return state.refresh?.isUsed === false && state.refresh.secret.hash === command.hash
          ? accept({ type: 'grant.refresh_token_used.v1', data: { usedAt: command.at } })
          : refuse('grant.refresh_token_used')
      case 'reuse': {
        const reason = command.of === 'code' ? 'code_reused' : 'refresh_token_reused'
        return isTheft(state, command) ? accept({ type: 'grant.revoked.v1', data: { reason } }) : accept()
      }
      case 'revoke_access_token':
        return state.access === undefined ? accept() : accept({ type: 'grant.access_token_revoked.v1', data: {} })
      case 'revoke':
        return accept({ type: 'grant.revoked.v1', data: { reason: command.reason } })
    }
  },
}
