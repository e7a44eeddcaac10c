/** Signing in through a real OpenID provider, over http and over TLS with a certificate of our own. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { checkIntent } from '../../src/features/sign-in-intents/index.ts'
import { users } from '../../src/features/users/index.ts'
import { openGuardedFetch } from '../../src/outbound/fetch.ts'
import { selfSigned } from '../faults/hostile-support.ts'
import {
  AutoLinkingOption,
  openProviderWorld,
  type ProviderSettings,
  type ProviderWorld,
} from '../support/provider-world.ts'
import { isRefused } from '../support/small-world.ts'
import { CLIENT, openUpstream, type Upstream } from '../support/upstream.ts'

const REDIRECT_URI = 'https://id.example/idps/callback'
const BOSS = { bearer: 'boss' }

for (const isSecure of [false, true]) {
  suite(`a real provider over ${isSecure ? 'TLS' : 'http'}`, () => {
    let world: ProviderWorld
    let upstream: Upstream
    before(async () => {
      const tls = isSecure ? selfSigned() : undefined
      const fetchOutside = openGuardedFetch({ allowsPrivate: true, ...(tls && { ca: tls.cert.toString() }) })
      world = await openProviderWorld({ fetchOutside })
      upstream = await openUpstream({ redirectUri: REDIRECT_URI, ...(tls && { tls }), fetch: fetchOutside })
      upstream.people.set('ada', {
        name: 'Ada King',
        given_name: 'Ada',
        family_name: 'King',
        preferred_username: 'ada',
        email: 'ada@corp.example',
        email_verified: true,
      })
      upstream.people.set('bob', {
        preferred_username: 'bob',
        name: 'Bob',
        email: 'bob@corp.example',
        email_verified: true,
      })
    })
    after(async () => {
      await upstream.close()
      await world.dispose()
    })

    const add = (settings: ProviderSettings = {}) =>
      world.addProvider(upstream.issuer, { clientSecret: CLIENT.secret, ...settings })
    const go = async (idpId: string, account: string) => {
      const { authUrl, intentId } = await world.start(idpId)
      const url = await world.finishAt(await upstream.signIn(authUrl, account))
      assert.equal(url.searchParams.get('error'), null, url.href)
      return { intentId, token: url.searchParams.get('token') ?? '', user: url.searchParams.get('user') }
    }
    const prove = (intentId: string, token: string, userId: string) =>
      world.store.write({ actor: { user: 'test' }, at: world.clock() }, (work) =>
        checkIntent(world.app, work, { intentId, token, userId, owner: 'north' }),
      )

    test('registers people, who prove a session and are known when they come again', async () => {
      const idpId = await add({ isAutoCreation: true })
      const first = await go(idpId, 'ada')
      const user = await world.store.get(users, first.user ?? '')
      assert.ok(user !== undefined && 'email' in user.state)
      assert.deepEqual(user.state.email, { address: 'ada@corp.example', isVerified: true, basis: 'asserted' })
      assert.equal(user.state.profile.displayName, 'Ada King')
      await prove(first.intentId, first.token, first.user ?? '')
      await isRefused(prove(first.intentId, first.token, first.user ?? ''), 'intent.not_succeeded')
      assert.equal((await go(idpId, 'ada')).user, first.user)
      await world.call(UserService.method.deleteUser, { userId: first.user ?? '' }, BOSS)
    })

    test('is linked by somebody who has an account here, by hand or by an address verified on both sides', async () => {
      const addPerson = async (username: string) => {
        const { userId } = await world.call(
          UserService.method.addHumanUser,
          {
            username,
            profile: { firstName: 'B', lastName: 'B' },
            email: { email: 'bob@corp.example', verification: { case: 'isVerified', value: true } },
          },
          BOSS,
        )
        return userId
      }
      const byHand = await add()
      const userId = await addPerson('robert')
      const first = await go(byHand, 'bob')
      assert.equal(first.user, null)
      const { idpInformation } = await world.retrieve(first.intentId, first.token)
      const idpLink = { idpId: byHand, userId: idpInformation?.userId ?? '', userName: idpInformation?.userName ?? '' }
      await world.call(UserService.method.addIDPLink, { userId, idpLink }, BOSS)
      await prove(first.intentId, first.token, userId)
      assert.equal((await go(byHand, 'bob')).user, userId)
      const byAddress = await add({ autoLinking: AutoLinkingOption.EMAIL })
      assert.equal((await go(byAddress, 'bob')).user, userId)
    })

    test('is refused when it is deactivated, at the start and at the callback', async () => {
      const idpId = await add()
      const { authUrl } = await world.start(idpId)
      const answer = await upstream.signIn(authUrl, 'ada')
      await world.call(ManagementService.method.deactivateOrgIDP, { idpId }, BOSS)
      await isRefused(world.start(idpId), 'intent.provider_inactive')
      assert.equal((await world.finishAt(answer)).searchParams.get('error'), 'sign_in_failed')
    })

    test('refuses a secret that is not ours, and we say no more than that it failed', async () => {
      const { authUrl, intentId } = await world.start(await add({ clientSecret: 'wrong' }))
      const url = await world.finishAt(await upstream.signIn(authUrl, 'ada'))
      assert.equal(url.searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(intentId)).at(-1)?.data, { reason: 'code_refused' })
    })

    if (isSecure) {
      test('is not believed with a certificate that nobody vouches for', async (t) => {
        const wary = await openProviderWorld({ fetchOutside: openGuardedFetch({ allowsPrivate: true }) })
        t.after(() => wary.dispose())
        const idpId = await wary.addProvider(upstream.issuer)
        await isRefused(wary.start(idpId), 'intent.provider_failed')
        const [event] = await wary.store.events({ kinds: ['intent'], limit: 1 })
        assert.deepEqual(event?.data, { idpId, reason: 'unreachable' })
      })
    }
  })
}
