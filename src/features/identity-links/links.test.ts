import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { given } from '../../../test/support/given.ts'
import { openWorld } from '../../../test/support/world.ts'
import { instant } from '../../kernel/instant.ts'
import { Refused } from '../../kernel/refusal.ts'
import {
  accountKey,
  assertIdentityLink,
  hasIdentityLink,
  IDENTITY_LINK_CLAIM,
  identityLinks,
  removeIdentityLinksOf,
} from './documents.ts'
import type { IdentityLinkEvent } from './events.ts'

const link = { userId: 'sam', idpId: 'idp', externalUserId: '4711', externalUserName: 'sam@corp.example' }
const added: IdentityLinkEvent = { type: 'identity_link.added.v1', data: link }
const removed: IdentityLinkEvent = { type: 'identity_link.removed.v1', data: {} }
const origin = { actor: { user: 'test' }, at: instant(1) } as const

suite('a link to an account at a provider', () => {
  test('is added, removed and added again', () => {
    given(identityLinks)
      .when({ type: 'add', ...link })
      .then(added)
    given(identityLinks, added)
      .when({ type: 'add', ...link })
      .thenRefused('identity_link.taken')
    given(identityLinks, added).when({ type: 'remove' }).then(removed)
    given(identityLinks, added, removed)
      .when({ type: 'add', ...link })
      .then(added)
    given(identityLinks).when({ type: 'remove' }).thenRefused('identity_link.not_found')
  })
})

for (const engine of engines) {
  test(`an account is linked to one user at a time on ${engine.name}`, async (t) => {
    const { app, store, dispose } = await openWorld({ engine, organizations: ['org'] })
    t.after(dispose)
    const add = (userId: string, externalUserId = '4711') =>
      store.write(origin, (work) =>
        assertIdentityLink(app, work, { ...link, userId, externalUserId }, 'org', 'instance'),
      )
    const isTaken = (error: unknown) => error instanceof Refused && error.code === 'identity_link.taken'
    await add('sam')
    await assert.rejects(add('ana'), isTaken)
    await assert.rejects(add('sam'), isTaken)
    await add('ana', '4712')
    assert.equal(await store.findClaimHolder(IDENTITY_LINK_CLAIM, accountKey('idp', '4711')), 'sam idp 4711')
    assert.deepEqual([await hasIdentityLink(app, 'sam'), await hasIdentityLink(app, 'zoe')], [true, false])
    await store.write(origin, (work) => removeIdentityLinksOf(app, work, 'sam'))
    assert.equal(await hasIdentityLink(app, 'sam'), false)
    await add('ana')
  })
}
