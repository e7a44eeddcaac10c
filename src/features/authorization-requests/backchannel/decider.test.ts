/** The rules of requests on the back channel, without a database. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { given } from '../../../../test/support/given.ts'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { backchannelRequest } from './decider.ts'
import type { BackchannelRequestEvent } from './events.ts'
import { bindingMessageProblem } from './handlers/start-approval.ts'

const at = (milliseconds: number): Instant => instant(1_800_000_000_000 + milliseconds)

const asked = {
  clientId: 'client',
  applicationId: 'application',
  projectId: 'project',
  userId: 'bob',
  organizationId: 'organization',
  scope: 'openid',
  bindingMessage: 'W4SCT',
  secret: { ping: 'sealed' },
  startedAt: at(0),
  expiresAt: at(300_000),
}
const started: BackchannelRequestEvent = { type: 'backchannel_request.started.v1', data: asked }
const approved: BackchannelRequestEvent = { type: 'backchannel_request.approved.v1', data: { grantId: 'grant' } }
const denied: BackchannelRequestEvent = { type: 'backchannel_request.denied.v1', data: {} }
const withdrawn: BackchannelRequestEvent = { type: 'backchannel_request.withdrawn.v1', data: {} }
const redeemed: BackchannelRequestEvent = { type: 'backchannel_request.redeemed.v1', data: {} }

const now = { user: 0, organization: 0, project: 0, application: 0, itsProject: 0, itsOrganization: 0 }
const approve = { type: 'approve', userId: 'bob', grantId: 'grant', provenAt: at(10), at: at(20), now } as const
const deny = { type: 'deny', userId: 'bob', at: at(20) } as const
const redeem = { type: 'redeem', at: at(30) } as const

suite('a request on the back channel', () => {
  test('is decided once, by its user, in time', () => {
    given(backchannelRequest, started).when(approve).then(approved)
    given(backchannelRequest, started).when(deny).then(denied)
    for (const before of [approved, denied]) {
      for (const command of [approve, deny]) {
        given(backchannelRequest, started, before).when(command).thenRefused('backchannel_request.finished')
      }
    }
    for (const command of [approve, deny]) {
      given(backchannelRequest).when(command).thenRefused('backchannel_request.not_found')
      const eve = { ...command, userId: 'eve' }
      given(backchannelRequest, started).when(eve).thenRefused('backchannel_request.not_found')
      const late = { ...command, at: at(300_000) }
      given(backchannelRequest, started).when(late).thenRefused('backchannel_request.expired')
      given(backchannelRequest, started, withdrawn).when(command).thenRefused('backchannel_request.not_found')
    }
  })

  test('is approved only with a proof that is not older than it', () => {
    for (const provenAt of [undefined, at(-1)]) {
      given(backchannelRequest, started)
        .when({ ...approve, provenAt })
        .thenRefused('backchannel_request.proof_missing')
    }
    given(backchannelRequest, started)
      .when({ ...approve, provenAt: at(0) })
      .then(approved)
  })

  test('is approved only while nothing that it ends with has ended since', () => {
    const generations = { ...now, organization: 2 }
    const remembering: BackchannelRequestEvent = { ...started, data: { ...asked, generations } }
    for (const name of Object.keys(now) as (keyof typeof now)[]) {
      const later = { ...generations, [name]: generations[name] + 1 }
      given(backchannelRequest, remembering)
        .when({ ...approve, now: generations })
        .then(approved)
      given(backchannelRequest, remembering)
        .when({ ...approve, now: later })
        .thenRefused('backchannel_request.not_found')
      // One from before remembers nothing: it ends with the first.
      given(backchannelRequest, started)
        .when({ ...approve, now: { ...now, [name]: 1 } })
        .thenRefused('backchannel_request.not_found')
    }
  })

  test('is redeemed once, after it was approved and before it expires', () => {
    given(backchannelRequest, started, approved).when(redeem).then(redeemed)
    given(backchannelRequest, started).when(redeem).thenRefused('backchannel_request.pending')
    given(backchannelRequest, started, denied).when(redeem).thenRefused('backchannel_request.finished')
    given(backchannelRequest, started, approved, redeemed).when(redeem).thenRefused('backchannel_request.finished')
    given(backchannelRequest, started, approved)
      .when({ ...redeem, at: at(300_000) })
      .thenRefused('backchannel_request.expired')
  })

  test('counts as open while it waits, and as not approved until it is', () => {
    const parties = { userId: 'bob', applicationId: 'application' }
    const { state: open } = given(backchannelRequest).when({ type: 'start', ...asked })
    assert.deepEqual(open, { status: 'pending', ...asked, open: parties, unapproved: parties })
    const { state: refused } = given(backchannelRequest, started).when(deny)
    assert.deepEqual(refused, { status: 'denied', ...asked, unapproved: parties })
    const { state: agreed } = given(backchannelRequest, started).when(approve)
    assert.deepEqual(agreed, { status: 'approved', ...asked, grantId: 'grant' })
  })

  test('is withdrawn and expires only while it waits', () => {
    given(backchannelRequest, started).when({ type: 'withdraw' }).then(withdrawn)
    given(backchannelRequest, started, approved).when({ type: 'withdraw' }).then()
    given(backchannelRequest, started)
      .when({ type: 'expire', at: at(299_999) })
      .then()
    given(backchannelRequest, started)
      .when({ type: 'expire', at: at(300_000) })
      .then({ type: 'backchannel_request.expired.v1', data: {} })
  })

  test('is sealed again only if it is still sealed as it was', () => {
    given(backchannelRequest, started)
      .when({ type: 'reseal', before: 'sealed', after: 'new' })
      .then({ type: 'backchannel_request.resealed.v1', data: { secret: { ping: 'new' } } })
    given(backchannelRequest, started).when({ type: 'reseal', before: 'other', after: 'new' }).then()
  })
})

suite('a binding message', () => {
  test('may be in any script', () => {
    for (const text of [
      'W4SCT',
      'Überweisung 12,50 €',
      'Ödeme onayı',
      '承認 1234',
      'अनुमोदन',
      'אישור',
      'x'.repeat(100),
    ]) {
      assert.equal(bindingMessageProblem(text), undefined, text)
    }
  })
})
