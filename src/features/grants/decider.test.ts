/** The rules of grants, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../test/support/given.ts'
import { type Instant, instant } from '../../kernel/instant.ts'
import { grant as decider, type GrantCommand, type IssuedToken, type OpenGrant } from './decider.ts'
import { consentId, consents } from './documents.ts'
import type { GrantEvent, GrantSubject } from './events.ts'
import { tokenGenerations } from './generations.ts'

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
const used: GrantEvent = { type: 'grant.refresh_token_used.v1', data: {} }

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
    given(decider, opened, refresh('r')).when({ type: 'use_refresh_token', hash: 'r' }).then(used)
    const rotated = given(decider, opened, refresh('r'), used, refresh('s', 1000))
    rotated.when({ type: 'use_refresh_token', hash: 'r' }).thenRefused('grant.refresh_token_used')
    rotated.when({ type: 'use_refresh_token', hash: 's' }).then(used)
    given(decider, opened, refresh('r'), used)
      .when({ type: 'use_refresh_token', hash: 'r' })
      .thenRefused('grant.refresh_token_used')
    assert.deepEqual((rotated.state as OpenGrant).usedRefresh, ['r'])
    assert.equal((rotated.state as OpenGrant).refreshSince, at(0), 'counts from the first one')
  })

  test('remembers the last hundred refresh tokens', () => {
    const many = Array.from({ length: 120 }, (_, index) => [refresh(`r${index}`), used]).flat()
    const { usedRefresh } = given(decider, opened, ...many).state as OpenGrant
    assert.equal(usedRefresh.length, 100)
    assert.equal(usedRefresh.at(-1), 'r119')
  })

  test('gives nothing after it was revoked', () => {
    const over = given(decider, opened, codeIssued, revoked)
    const commands: GrantCommand[] = [
      { type: 'redeem_code' },
      { type: 'issue_access_token', token: token('a', 0, HOUR) },
      { type: 'issue_refresh_token', token: token('r', 0, HOUR) },
      { type: 'use_refresh_token', hash: 'r' },
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

suite('the tokens of a user', () => {
  test('are invalidated all, those from before a new password, or those of one project', () => {
    const { state } = given(
      tokenGenerations,
      { type: 'tokens.invalidated.v1', data: { of: 'all' } },
      { type: 'tokens.invalidated.v1', data: { of: 'password' } },
      { type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } },
      { type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } },
    )
    assert.deepEqual(state, { all: 1, password: 1, projects: { p: 2 } })
    given(tokenGenerations)
      .when({ of: 'project', projectId: 'p' })
      .then({ type: 'tokens.invalidated.v1', data: { of: 'project', projectId: 'p' } })
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
