/** Sign-ins with a signed token in a header: what leads there, what counts, and what it comes to. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { ManagementService } from '../../../../contract/gen/signet/management/v1/management_pb.ts'
import { UserService } from '../../../../contract/gen/signet/user/v2/user_service_pb.ts'
import { bothEngines } from '../../../../test/support/engines.ts'
import { AutoLinkingOption, openProviderWorld, type ProviderWorld } from '../../../../test/support/parts/providers.ts'
import { newSigningKey, SAM, writeToken } from '../../../../test/support/scripted-provider.ts'
import { isRefused } from '../../../../test/support/small-world.ts'
import { openTokenGate, type TokenGate } from '../../../../test/support/token-gate.ts'
import { finishIntent } from '../handlers/finish-intent.ts'
import { startIntent } from '../handlers/start-intent.ts'
import { visitorFrom } from '../unfinished.ts'

const BOSS = { bearer: 'boss' }
const HOUR = 3_600_000

for (const engine of bothEngines) {
  suite(`a sign-in with a signed token, on ${engine.name}`, () => {
    let world: ProviderWorld
    let gate: TokenGate
    before(async () => {
      world = await openProviderWorld({ engine })
      gate = await openTokenGate(world)
    })
    after(async () => {
      await gate.server.close()
      await world.dispose()
    })
    const errorOf = (url: URL) => url.searchParams.get('error')
    const reasonOf = async (intentId: string) => (await world.eventsOf(intentId)).at(-1)?.data

    test('leads to the page of the provider and back, with the token as its result', async () => {
      const { url, parameters, intentId } = await gate.start(await gate.add())
      assert.equal(`${url.origin}${url.pathname}`, 'https://apps.example/gate')
      assert.deepEqual([...url.searchParams.keys()].sort(), ['authRequestID', 'from', 'userAgentID'])
      const text = gate.token()
      const finished = await gate.finish(parameters, `Bearer ${text}`)
      assert.ok(finished.type === 'redirect')
      const { id = '', token = '', user } = Object.fromEntries(new URL(finished.url).searchParams)
      assert.deepEqual([id, user], [intentId, undefined])
      const { idpInformation, addHumanUser } = await world.retrieve(id, token)
      assert.ok(idpInformation?.access.case === 'oauth')
      const { accessToken, idToken, refreshToken } = idpInformation.access.value
      assert.deepEqual([accessToken, idToken, refreshToken], ['', text, undefined])
      assert.deepEqual([idpInformation.userId, idpInformation.userName], [SAM.sub, 'sam'])
      assert.partialDeepStrictEqual(idpInformation.rawInformation, SAM)
      assert.deepEqual([addHumanUser?.username, addHumanUser?.profile?.lastName], ['sam', 'Miller'])
      const log = JSON.stringify(await world.store.events({ limit: 10_000 }))
      for (const secret of [text, token, parameters.get('userAgentID') ?? '']) assert.ok(!log.includes(secret))
    })

    test('adds a user once, finds them again, and links by an address that both sides verified', async () => {
      const idpId = await gate.add({ providerOptions: { isCreationAllowed: true, isAutoCreation: true } })
      const claims = { sub: 'eve', email: 'eve@corp.example', preferred_username: 'eve' }
      const added = (await gate.signIn(idpId, gate.token(claims))).url.searchParams.get('user')
      assert.ok(added)
      assert.equal((await gate.signIn(idpId, gate.token(claims))).url.searchParams.get('user'), added)
      const byEmail = { isLinkingAllowed: true, autoLinking: AutoLinkingOption.EMAIL }
      const linking = await gate.add({ providerOptions: byEmail })
      const other = { ...claims, sub: 'eve elsewhere' }
      const unverified = await gate.signIn(linking, gate.token({ ...other, email_verified: false }))
      assert.equal(unverified.url.searchParams.get('user'), null)
      assert.equal((await gate.signIn(linking, gate.token(other))).url.searchParams.get('user'), added)
    })

    test('proves one session, and ends with the token', async () => {
      const idpId = await gate.add()
      const iat = Math.floor(world.clock() / 1000)
      const short = await gate.signIn(idpId, gate.token({ exp: iat + 120 }))
      const long = await gate.signIn(idpId, gate.token({ exp: iat + 10 * 3600 }))
      const endOf = async (id: string) => {
        const succeeded = (await world.eventsOf(id)).find(({ type }) => type === 'intent.succeeded.v1')
        return Number((succeeded?.data as { readonly expiresAt?: number } | undefined)?.expiresAt)
      }
      assert.ok((await endOf(short.intentId)) <= (iat + 120) * 1000)
      const after = (await endOf(long.intentId)) - iat * 1000
      assert.ok(after >= HOUR && after < 2 * HOUR)
      const { details } = await world.retrieve(short.intentId, short.url.searchParams.get('token') ?? '')
      assert.ok(timestampMs(details?.changeDate ?? assert.fail()) >= iat * 1000)
      world.time.offset += 121_000
      const late = world.retrieve(short.intentId, short.url.searchParams.get('token') ?? '')
      await isRefused(late, 'intent.expired')
    })

    test('ends with the token, too, when the clock moves while it is checked', async () => {
      const idpId = await gate.add()
      let offset = world.time.offset
      // Each reading of the clock is two seconds later than the one before it.
      Object.defineProperty(world.time, 'offset', { configurable: true, get: () => (offset += 2000) })
      const exp = Math.floor(world.clock() / 1000) + 600
      const { intentId } = await gate.signIn(idpId, gate.token({ exp }))
      Object.defineProperty(world.time, 'offset', { configurable: true, writable: true, value: offset })
      const succeeded = (await world.eventsOf(intentId)).find(({ type }) => type === 'intent.succeeded.v1')
      assert.equal((succeeded?.data as { readonly expiresAt?: number } | undefined)?.expiresAt, exp * 1000)
    })

    test('counts a token with a jti once, at each provider, whatever became of the sign-in', async () => {
      const [idpId, other] = [await gate.add(), await gate.add()]
      const token = gate.token({ jti: 'only-once' })
      const first = await gate.signIn(idpId, token)
      assert.equal(errorOf(first.url), null)
      const again = await gate.signIn(idpId, token)
      assert.equal(errorOf(again.url), 'sign_in_failed')
      assert.deepEqual(await reasonOf(again.intentId), { reason: 'token_used' })
      // Its name is what counts: another signature is another text.
      assert.equal(errorOf((await gate.signIn(idpId, gate.token({ jti: 'only-once', x: 1 }))).url), 'sign_in_failed')
      assert.equal(errorOf((await gate.signIn(other, token)).url), null)
      const at = gate.token({ jti: 'at-once' })
      const both = await Promise.all([1, 2, 3].map(() => gate.signIn(idpId, at)))
      assert.equal(both.filter(({ url }) => errorOf(url) === null).length, 1)
      const nameless = gate.token()
      for (let n = 0; n < 2; n++) assert.equal(errorOf((await gate.signIn(idpId, nameless)).url), null)
    })

    test('is answered once, by the browser that began, on the page for it, with both parameters once', async () => {
      const idpId = await gate.add()
      const { parameters, intentId } = await gate.start(idpId)
      const [id, secret] = [intentId, parameters.get('userAgentID') ?? '']
      const unknown = [
        { authRequestID: id },
        { userAgentID: secret },
        { authRequestID: id, userAgentID: `${secret}x` },
        { authRequestID: `${id}.`, userAgentID: secret },
        { authRequestID: `${id}.${secret}`, userAgentID: '' },
        { authRequestID: '', userAgentID: `${id}.${secret}` },
        { state: `${id}.${secret}` },
      ]
      for (const some of unknown) {
        assert.equal((await gate.finish(new URLSearchParams(some as never), gate.token())).type, 'unknown')
      }
      const twice = new URLSearchParams([...parameters, ['authRequestID', id]])
      assert.equal((await gate.finish(twice, gate.token())).type, 'unknown')
      assert.equal((await gate.finish(parameters, gate.token())).type, 'redirect')
      assert.equal((await gate.finish(parameters, gate.token())).type, 'unknown')

      const urls = { successUrl: 'https://app.example/in', failureUrl: 'https://app.example/no' }
      const origin = { actor: 'visitor', at: world.clock() } as const
      const begin = async () => {
        const { next } = await startIntent(world.app, origin, {
          ...{ by: visitorFrom('192.0.2.1'), idpId, organizationId: 'north', browser: 'b'.repeat(43) },
          ...urls,
        })
        return new URL(next.url).searchParams
      }
      for (const [browser, error] of [
        [undefined, 'sign_in_failed'],
        ['c'.repeat(43), 'sign_in_failed'],
        ['b'.repeat(43), null],
      ] as const) {
        const finished = await gate.finish(await begin(), gate.token(), browser)
        assert.ok(finished.type === 'redirect')
        assert.equal(errorOf(new URL(finished.url)), error)
      }

      // The page of the others has no header, and theirs is none of this one.
      const started = await gate.start(idpId)
      const state = `${started.intentId}.${started.parameters.get('userAgentID')}`
      const codes = await finishIntent(world.app, {
        parameters: new URLSearchParams({ state, code: 'x' }),
        browser: undefined,
      })
      assert.ok(codes.type === 'redirect' && codes.url.includes('error=sign_in_failed'))
      assert.deepEqual(await reasonOf(started.intentId), { reason: 'response_invalid' })
      const openId = await world.start(await world.addProvider(gate.server.issuer))
      const [authRequestID = '', userAgentID = ''] = openId.state.split('.')
      const wrongDoor = await gate.finish(new URLSearchParams({ authRequestID, userAgentID }), gate.token())
      assert.ok(wrongDoor.type === 'redirect' && wrongDoor.url.includes('error=sign_in_failed'))
    })

    test('finds new keys without a restart, and asks for them no more than once a minute', async () => {
      const own = await openTokenGate(world)
      const idpId = await own.add()
      const next = newSigningKey('key-2')
      const fetched = () => own.server.asked.filter((path) => path === '/keys').length
      for (let n = 0; n < 3; n++) assert.equal(errorOf((await own.signIn(idpId, own.token())).url), null)
      assert.equal(fetched(), 1)
      own.server.script = { keys: () => ({ keys: [next.publicJwk] }) }
      const iat = Math.floor(world.clock() / 1000) + 61
      const claims = { ...SAM, iss: own.server.issuer, aud: 'signet', iat, exp: iat + 300 }
      const rolled = writeToken({ alg: 'RS256', kid: next.kid }, claims, next.privateKey)
      assert.equal(errorOf((await own.signIn(idpId, rolled)).url), 'sign_in_failed')
      assert.equal(fetched(), 1)
      world.time.offset += 61_000
      assert.equal(errorOf((await own.signIn(idpId, rolled)).url), null)
      assert.equal(fetched(), 2)
      await own.server.close()
    })

    test('is none of a provider that was deactivated meanwhile, and takes no name and password', async () => {
      const idpId = await gate.add()
      const { parameters, intentId } = await gate.start(idpId)
      await world.call(ManagementService.method.deactivateOrgIDP, { idpId }, BOSS)
      const finished = await gate.finish(parameters, gate.token())
      assert.ok(finished.type === 'redirect' && finished.url.includes('error=sign_in_failed'))
      assert.deepEqual(await reasonOf(intentId), { reason: 'provider_inactive' })
      await world.call(ManagementService.method.reactivateOrgIDP, { idpId }, BOSS)
      const content = { case: 'ldap', value: { username: 'sam', password: 'x' } } as const
      const call = world.call(UserService.method.startIdentityProviderIntent, { idpId, content }, BOSS)
      await isRefused(call, 'intent.credentials_needed')
    })
  })
}
