/** The rules of grants, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { grant as decider, type GrantCommand, type IssuedToken, type OpenGrant } from './decider.ts'
import { consentId, consents } from './documents.ts'
import type { GrantEvent, GrantSubject } from './events.ts'

const NOON = 1_800_000_000_000
const at = (milliseconds: number): Instant => instant(NOON + milliseconds)

const subject: GrantSubject = {
  userId: 'human',
  organizationId: 'organization',
  isMachine: false,
  clientId: 'client',
  applicationId: 'application',
  projectId: 'project',
  sessionId: 'session',
  scope: 'openid offline_access',
  audience: ['client'],
  authenticatedAt: at(0),
  amr: ['pwd'],
  acr: '',
  generations: { user: 0, password: 0, project: 0, organization: 0 },
}
const code = { secret: { hash: 'code' }, redirectUri: 'https://app.example/', issuedAt: at(0), expiresAt: at(60_000) }
const token = (hash: string, issuedAt: number, lifetime: number): IssuedToken => ({
  secret: { hash },
  scope: 'openid',
  grantType: 'authorization_code',
  issuedAt: at(issuedAt),
  expiresAt: at(issuedAt + lifetime),
})
const HOUR = 3_600_000

const opened: GrantEvent = { type: 'grant.opened.v1', data: subject }
const codeIssued: GrantEvent = { type: 'grant.code_issued.v1', data: code }
const redeemed: GrantEvent = { type: 'grant.code_redeemed.v1', data: {} }
const revoked: GrantEvent = { type: 'grant.revoked.v1', data: { reason: 'requested' } }
const access = (hash: string, issuedAt = 0): GrantEvent => ({
  type: 'grant.access_token_issued.v1',
  data: token(hash, issuedAt, HOUR),
})
const refresh = (hash: string, issuedAt = 0): GrantEvent => ({
  type: 'grant.refresh_token_issued.v1',
  data: token(hash, issuedAt, 10 * HOUR),
})
const usedAfter = (time: number): GrantEvent => ({ type: 'grant.refresh_token_used.v1', data: { usedAt: at(time) } })
const used = usedAfter(0)
const use = (hash: string): GrantCommand => ({ type: 'use_refresh_token', hash, at: at(0) })

suite('a grant', () => {
  test('is opened once, with its code or token', () => {
    const open: GrantCommand = { type: 'open', subject, code, at: at(0) }
    given(decider).when(open).then(opened, codeIssued)
    given(decider)
      .when({ type: 'open', subject, access: token('a', 0, HOUR), at: at(0) })
      .then(opened, access('a'))
    given(decider, opened).when(open).thenRefused('grant.id_taken')
    given(decider, opened, revoked).when(open).thenRefused('grant.id_taken')
  })

  test('has a code that is redeemed once', () => {
    given(decider, opened, codeIssued).when({ type: 'redeem_code' }).then(redeemed)
    given(decider, opened, codeIssued, redeemed).when({ type: 'redeem_code' }).thenRefused('grant.code_used')
    given(decider, opened).when({ type: 'redeem_code' }).thenRefused('grant.code_used')
  })

  test('has one access token: a newer one takes its place', () => {
    const { state } = given(decider, opened, access('a')).when({
      type: 'issue_access_token',
      token: token('b', 1000, HOUR),
    })
    assert.equal((state as OpenGrant).access?.secret.hash, 'b')
  })

  test('loses its access token alone when that is revoked', () => {
    const revokedAccess: GrantEvent = { type: 'grant.access_token_revoked.v1', data: {} }
    const outcome = given(decider, opened, access('a'), refresh('r')).when({ type: 'revoke_access_token' })
    outcome.then(revokedAccess)
    assert.equal((outcome.state as OpenGrant).access, undefined)
    assert.equal((outcome.state as OpenGrant).refresh?.secret.hash, 'r')
    given(decider, opened).when({ type: 'revoke_access_token' }).then()
  })

  test('has a refresh token that is used once, and remembers those before', () => {
    given(decider, opened, refresh('r')).when(use('r')).then(used)
    const rotated = given(decider, opened, refresh('r'), used, refresh('s', 1000))
    rotated.when(use('r')).thenRefused('grant.refresh_token_used')
    rotated.when(use('s')).then(used)
    given(decider, opened, refresh('r'), used).when(use('r')).thenRefused('grant.refresh_token_used')
    assert.deepEqual((rotated.state as OpenGrant).usedRefresh, [{ hash: 'r', usedAt: at(0) }])
    assert.equal((rotated.state as OpenGrant).refreshSince, at(0), 'counts from the first one')
  })

  test('is revoked when a refresh token is used again, but not a moment after the first time', () => {
    const rotated = given(decider, opened, refresh('r'), usedAfter(1000), refresh('s', 1000), usedAfter(50_000))
    const reuse = (hash: string, time: number): GrantCommand => ({
      type: 'reuse',
      of: { refreshHash: hash },
      at: at(time),
    })
    const reused: GrantEvent = { type: 'grant.revoked.v1', data: { reason: 'refresh_token_reused' } }
    rotated.when(reuse('r', 1000)).then()
    rotated.when(reuse('r', 30_999)).then()
    rotated.when(reuse('r', 31_000)).then(reused)
    rotated.when(reuse('s', 60_000)).then()
    rotated.when(reuse('s', 80_000)).then(reused)
    rotated.when(reuse('unknown', 80_000)).then()
  })

  test('counts a use from before its time was recorded as long ago', () => {
    const old: GrantEvent = { type: 'grant.refresh_token_used.v1', data: {} }
    given(decider, opened, refresh('r'), old)
      .when({ type: 'reuse', of: { refreshHash: 'r' }, at: at(HOUR) })
      .then({ type: 'grant.revoked.v1', data: { reason: 'refresh_token_reused' } })
  })

  test('is revoked whenever its code is used again', () => {
    given(decider, opened, codeIssued, redeemed)
      .when({ type: 'reuse', of: 'code', at: at(0) })
      .then({ type: 'grant.revoked.v1', data: { reason: 'code_reused' } })
    given(decider, opened, revoked)
      .when({ type: 'reuse', of: 'code', at: at(0) })
      .then()
  })

  test('counts the access tokens that were revoked', () => {
    const revokedAccess: GrantEvent = { type: 'grant.access_token_revoked.v1', data: {} }
    const { state } = given(decider, opened, access('a'), revokedAccess, access('b'), revokedAccess)
    assert.equal((state as OpenGrant).revocations, 2)
  })

  test('remembers the last hundred refresh tokens', () => {
    const many = Array.from({ length: 120 }, (_, index) => [refresh(`r${index}`), used]).flat()
    const { usedRefresh } = given(decider, opened, ...many).state as OpenGrant
    assert.equal(usedRefresh.length, 100)
    assert.equal(usedRefresh.at(-1)?.hash, 'r119')
  })

  test('gives nothing after it was revoked', () => {
    const over = given(decider, opened, codeIssued, revoked)
    const commands: GrantCommand[] = [
      { type: 'redeem_code' },
      { type: 'issue_access_token', token: token('a', 0, HOUR) },
      { type: 'issue_refresh_token', token: token('r', 0, HOUR) },
      use('r'),
      { type: 'revoke_access_token' },
    ]
    for (const command of commands) over.when(command).thenRefused('grant.revoked')
    over.when({ type: 'revoke', reason: 'by_user', at: at(0) }).then()
    for (const command of commands) given(decider).when(command).thenRefused('grant.not_found')
  })

  test('ends when its last code or token expires', () => {
    const endsAt = (...events: GrantEvent[]) => (given(decider, ...events).state as OpenGrant).endsAt
    assert.equal(endsAt(opened), at(0))
    assert.equal(endsAt(opened, codeIssued), at(60_000))
    assert.equal(endsAt(opened, refresh('r'), access('a')), at(10 * HOUR))
    assert.equal(endsAt(opened, refresh('r'), revoked), at(10 * HOUR), 'a reused code is still recognized')
  })

  test('stays as long as its session where the application wants to be told about its end', () => {
    const told: GrantEvent = { type: 'grant.opened.v1', data: { ...subject, logoutUntil: at(50 * HOUR) } }
    const endsAt = (...events: GrantEvent[]) => (given(decider, ...events).state as OpenGrant).endsAt
    assert.equal(endsAt(told, access('a')), at(50 * HOUR))
    assert.equal(endsAt(told, access('a', 100 * HOUR)), at(101 * HOUR))
  })
})

suite('the consent of a user', () => {
  const data = { userId: 'human', clientId: 'client', scopes: ['openid'], givenAt: at(0) }

  test('is given and withdrawn', () => {
    const give = { type: 'give', userId: 'human', clientId: 'client', scopes: ['openid'], at: at(0) } as const
    given(consents).when(give).then({ type: 'consent.given.v1', data })
    given(consents, { type: 'consent.given.v1', data })
      .when({ type: 'withdraw' })
      .then({ type: 'consent.withdrawn.v1', data: {} })
    given(consents).when({ type: 'withdraw' }).thenRefused('grant.no_consent')
    assert.notEqual(consentId('a', 'b'), consentId('b', 'a'))
  })
})
