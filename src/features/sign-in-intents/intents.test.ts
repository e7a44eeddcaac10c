import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../test/support/engines.ts'
import { BOSS, openProviderScene, type ProviderScene } from '../../../test/support/provider-scene.ts'
import { FAILURE } from '../../../test/support/provider-world.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { organizations } from '../organizations/index.ts'
import { intents, startIntent, visitorFrom } from './index.ts'

const HOUR = 3_600_000
const { addIDPLink, startIdentityProviderIntent } = UserService.method
const { deleteProvider, deactivateOrgIDP, reactivateOrgIDP } = ManagementService.method

for (const engine of bothEngines) {
  suite(`a sign-in through a provider on ${engine.name}`, () => {
    let scene: ProviderScene
    before(async () => {
      scene = await openProviderScene(engine)
    })
    beforeEach(() => scene.begin())
    after(() => scene.dispose())

    test('proves a session once, for the person it is linked to, within an hour', async () => {
      const { world, comeAs, go, add, addPerson, prove } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const { intentId, token, user } = await go(idpId)
      const userId = user ?? ''
      const other = await addPerson('other', 'other@corp.example')
      await isRefused(prove(intentId, `${token}x`, userId), 'intent.token_wrong')
      await isRefused(prove(intentId, token.slice(0, -1), userId), 'intent.token_wrong')
      await isRefused(world.retrieve(intentId, 'wrong'), 'intent.token_wrong')
      await isRefused(prove(intentId, token, other), 'intent.other_user')
      await isRefused(prove(intentId, token, userId, 'south'), 'intent.other_user')
      await isRefused(prove('no-such-intent', token, userId), 'intent.not_succeeded')
      await isRefused(world.retrieve('no-such-intent', token), 'intent.not_succeeded')
      world.time.offset = HOUR
      await isRefused(prove(intentId, token, userId), 'intent.expired')
      await isRefused(world.retrieve(intentId, token), 'intent.expired')
      world.time.offset = HOUR - 60_000
      const racers = await Promise.allSettled(Array.from({ length: 8 }, () => prove(intentId, token, userId)))
      assert.equal(racers.filter(({ status }) => status === 'fulfilled').length, 1)
      await isRefused(world.retrieve(intentId, token), 'intent.not_succeeded')
      assert.equal((await world.store.get(intents, intentId))?.state.status, 'consumed')
    })

    test('proves nothing after the link is gone', async () => {
      const { world, provider, comeAs, go, add, addPerson, prove } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const { intentId, token, user } = await go(idpId)
      const linkedUserId = String(provider.account.sub)
      await world.call(UserService.method.removeIDPLink, { userId: user ?? '', idpId, linkedUserId }, BOSS)
      await isRefused(prove(intentId, token, user ?? ''), 'intent.other_user')
      const idpLink = { idpId, userId: linkedUserId, userName: 'again' }
      await world.call(addIDPLink, { userId: await addPerson('heir', 'heir@corp.example'), idpLink }, BOSS)
      await isRefused(prove(intentId, token, user ?? ''), 'intent.other_user')
    })

    test('is refused with a deactivated provider at the start, at the callback and as a proof', async () => {
      const { world, provider, comeAs, go, add, prove } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const proven = await go(idpId)
      const begun = await world.start(idpId)
      await world.call(deactivateOrgIDP, { idpId }, BOSS)
      await isRefused(world.start(idpId), 'intent.provider_inactive')
      provider.forget()
      const url = await world.finishAt(provider.answer(begun.authUrl))
      assert.equal(url.searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(begun.intentId)).at(-1)?.data, { reason: 'provider_inactive' })
      assert.deepEqual(provider.asked, [])
      await isRefused(prove(proven.intentId, proven.token, proven.user ?? ''), 'intent.provider_inactive')
      await isRefused(world.retrieve(proven.intentId, proven.token), 'intent.provider_inactive')
      await world.call(reactivateOrgIDP, { idpId }, BOSS)
      await prove(proven.intentId, proven.token, proven.user ?? '')
    })

    test('is refused with a provider that was deactivated while it answered', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const { authUrl, intentId } = await world.start(idpId)
      const answer = provider.answer(authUrl)
      provider.script = {
        intercept(request, response) {
          if (request.url !== '/userinfo') return false
          void world.call(deactivateOrgIDP, { idpId }, BOSS).then(() => {
            response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(provider.account))
          })
          return true
        },
      }
      assert.equal((await world.finishAt(answer)).searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(intentId)).at(-1)?.data, { reason: 'provider_inactive' })
    })

    test('ends with its provider', async () => {
      const { world, provider, comeAs, go, add, prove } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const proven = await go(idpId)
      const begun = await world.start(idpId)
      await world.call(deleteProvider, { id: idpId }, BOSS)
      await isRefused(world.start(idpId), 'intent.provider_not_found')
      assert.equal((await world.finishAt(provider.answer(begun.authUrl))).searchParams.get('error'), 'sign_in_failed')
      await isRefused(prove(proven.intentId, proven.token, proven.user ?? ''), 'intent.provider_inactive')
    })

    test('is refused in an organization that is not active, at the start and at the callback', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const begun = await world.start(idpId)
      const turn = (type: 'deactivate' | 'reactivate') =>
        world.store.write({ actor: { user: 'test' }, at: world.clock() }, (work) =>
          type === 'deactivate'
            ? work.decide(organizations, 'north', { type, isDefault: false })
            : work.decide(organizations, 'north', { type }),
        )
      await turn('deactivate')
      const by = visitorFrom('192.0.2.1')
      const given = {
        by,
        idpId,
        organizationId: 'north',
        successUrl: 'https://a.example',
        failureUrl: 'https://a.example',
      }
      const origin = { actor: 'visitor', at: world.clock() } as const
      await isRefused(startIntent(world.app, origin, given), 'intent.organization_inactive')
      const url = await world.finishAt(provider.answer(begun.authUrl))
      await turn('reactivate')
      assert.equal(url.searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(begun.intentId)).at(-1)?.data, { reason: 'organization_inactive' })
    })

    test('is answered once: what comes again, twice at once or too late is refused', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true })
      const { authUrl, intentId } = await world.start(idpId)
      const answer = provider.answer(authUrl)
      const finished = await Promise.all(Array.from({ length: 8 }, () => world.finish(answer)))
      const won = finished.filter((one) => one.type === 'redirect' && !one.url.includes('error='))
      assert.equal(won.length, 1)
      assert.equal(provider.tokenRequests.length, 1)
      assert.deepEqual(await world.finish(answer), { type: 'unknown' })
      for (let round = 0; round < 10; round++) await world.finish(answer)
      const refused = (await world.eventsOf(intentId)).filter(({ type }) => type === 'intent.answer_refused.v1')
      assert.equal(refused.length, 10)

      const late = await world.start(idpId)
      world.time.offset = HOUR
      const url = await world.finishAt(provider.answer(late.authUrl))
      assert.equal(url.searchParams.get('error'), 'sign_in_failed')
      assert.deepEqual((await world.eventsOf(late.intentId)).at(-1)?.data, { reason: 'expired' })
    })

    test('knows only its own state, whole', async () => {
      const { world, provider, add } = scene
      const idpId = await add()
      const { authUrl, state, intentId } = await world.start(idpId)
      const other = await world.start(idpId)
      const wrong = [
        '',
        intentId,
        `${intentId}.`,
        state.slice(0, -1),
        `${state}A`,
        state.toUpperCase(),
        `${intentId}.${other.state.split('.')[1]}`,
        'x'.repeat(5000),
      ]
      for (const text of wrong) {
        assert.deepEqual(await world.finish(new URLSearchParams({ code: 'c', state: text })), { type: 'unknown' })
      }
      assert.deepEqual(await world.finish(new URLSearchParams({ code: 'c' })), { type: 'unknown' })
      const twice = provider.answer(authUrl)
      twice.append('state', other.state)
      assert.deepEqual(await world.finish(twice), { type: 'unknown' })
      assert.deepEqual(
        (await world.eventsOf(intentId)).map(({ type }) => type),
        ['intent.started.v1'],
      )
    })

    test('that one of our pages began continues in the same browser only', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add()
      const browser = 'b'.repeat(43)
      const by = visitorFrom('192.0.2.1')
      const urls = { successUrl: 'https://a.example/in', failureUrl: FAILURE }
      const given = { by, idpId, organizationId: 'north', ...urls, browser }
      const begin = () => startIntent(world.app, { actor: 'visitor', at: world.clock() }, given)
      for (const other of [undefined, 'c'.repeat(43), '']) {
        const { next, intent } = await begin()
        const url = await world.finishAt(provider.answer(next.url), other)
        assert.equal(url.searchParams.get('error'), 'sign_in_failed')
        assert.deepEqual((await world.eventsOf(intent.value.id)).at(-1)?.data, { reason: 'other_browser' })
      }
      const { next } = await begin()
      assert.equal((await world.finishAt(provider.answer(next.url), browser)).pathname, '/in')
    })

    test('keeps its secrets: neither token, code nor verifier stands in the log', async () => {
      const { world, provider, comeAs, add } = scene
      comeAs()
      const idpId = await add({ isAutoCreation: true, clientSecret: 'canary-client-secret' })
      const { authUrl, intentId, state } = await world.start(idpId)
      const answer = provider.answer(authUrl)
      const url = await world.finishAt(answer)
      const token = url.searchParams.get('token') ?? ''
      const { fields } = provider.tokenRequests[0] ?? assert.fail('no token was asked for')
      const { idpInformation } = await world.retrieve(intentId, token)
      const access = idpInformation?.access
      assert.ok(access?.case === 'oauth')
      const secrets = [
        token,
        state,
        fields.get('code'),
        fields.get('code_verifier'),
        new URL(authUrl).searchParams.get('nonce'),
        access.value.accessToken,
        access.value.idToken,
        'canary-client-secret',
      ]
      const log = JSON.stringify(await world.store.events({ limit: 10_000, kinds: ['intent', 'identity-provider'] }))
      for (const secret of secrets) {
        assert.ok(secret)
        assert.equal(log.includes(secret), false, secret)
      }
    })

    test('begins only where the browser may be sent back to', async () => {
      const { world, add } = scene
      const idpId = await add()
      const begin = (successUrl: string, failureUrl: string) =>
        world.call(
          startIdentityProviderIntent,
          { idpId, content: { case: 'urls', value: { successUrl, failureUrl } } },
          { bearer: 'nobody' },
        )
      const good = 'https://app.example/'
      const bad = [
        'http://app.example/',
        '/relative',
        'javascript:alert(1)',
        'https:\\\\app.example',
        'https://a:b@app.example/',
      ]
      for (const url of bad) {
        await isRefused(begin(url, good), 'intent.url_not_allowed', 'urls.successUrl')
        await isRefused(begin(url, url), 'intent.url_not_allowed', 'urls.successUrl', 'urls.failureUrl')
      }
      await begin('http://localhost:3000/in', 'http://127.0.0.1:3000/no')
    })

    test('passes on who wants to sign in', async () => {
      const { world, add } = scene
      const { authUrl } = await world.start(await add(), { loginHint: 'sam@corp.example' })
      assert.equal(new URL(authUrl).searchParams.get('login_hint'), 'sam@corp.example')
      assert.equal(new URL(authUrl).searchParams.get('prompt'), null)
    })

    test('lets people choose an account when it is not known who wants to sign in', async () => {
      const { world, add } = scene
      const { authUrl } = await world.start(await add())
      assert.equal(new URL(authUrl).searchParams.get('prompt'), 'select_account')
      assert.equal(new URL(authUrl).searchParams.get('login_hint'), null)
    })

    test('ends with the token of the provider when that is sooner than an hour', async () => {
      const { world, provider, comeAs, go, add } = scene
      comeAs()
      const idpId = await add()
      const lifetimeOf = async (expires_in: unknown) => {
        provider.script = { tokenReply: (honest) => ({ ...honest, expires_in }) }
        const { intentId } = await go(idpId)
        const [last] = await world.store.events({ id: intentId, descending: true, limit: 1 })
        assert.ok(last)
        return (last.data as { readonly expiresAt: number }).expiresAt - last.at
      }
      // From when the token came, which is before the event.
      const before = world.clock()
      const lifetime = await lifetimeOf(60)
      assert.ok(lifetime <= 60_000 && lifetime >= 60_000 - (world.clock() - before), `${lifetime}`)
      assert.equal(await lifetimeOf(86_400), 3_600_000)
      assert.equal(await lifetimeOf(undefined), 3_600_000)
    })

    test('remembers what the provider said about itself for ten minutes, and its keys for five', async () => {
      const { world, provider, comeAs, go, add } = scene
      comeAs()
      const idpId = await add()
      world.time.offset = 20 * 60_000
      provider.now = () => Math.floor(world.clock() / 1000)
      await go(idpId)
      provider.forget()
      comeAs()
      await go(idpId)
      assert.deepEqual(provider.asked, ['/token', '/userinfo'])
      provider.forget()
      world.time.offset = 31 * 60_000
      comeAs()
      await go(idpId)
      assert.ok(provider.asked.includes('/.well-known/openid-configuration'))
      provider.now = () => Math.floor(Date.now() / 1000)
    })
  })
}
