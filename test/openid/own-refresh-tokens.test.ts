/** Users see and revoke the refresh tokens with which applications stay signed in for them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { engines } from '../support/engines.ts'
import { refresh, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const own = AuthService.method
const OFFLINE = { scope: 'openid offline_access' }

for (const engine of engines) {
  suite(`one's own refresh tokens on ${engine.name}`, () => {
    let world: OpenIdWorld
    let shop: Application
    before(async () => {
      world = await openOpenIdWorld({ engine })
      shop = await world.addApplication({ grantTypes: [0, 2] })
    })
    after(() => world.dispose())

    /** A person, signed in with a session token, and at an application with a refresh token. */
    const addPerson = async (name: string) => {
      const userId = await world.addPerson(name)
      const checks = {
        user: { search: { case: 'userId', value: userId } as const },
        password: { password: PASSWORD },
      }
      const { sessionToken } = await world.call(SessionService.method.createSession, { checks }, world.owner)
      const as = { bearer: sessionToken }
      const tokens = () => signInFor(world, shop, OFFLINE, { name, browser: world.browser() })
      const list = async () => (await world.call(own.listMyRefreshTokens, {}, as)).result
      return { as, tokens, list }
    }

    test('are listed while they count, with the client and their times', async () => {
      const ada = await addPerson('ada')
      assert.deepEqual(await ada.list(), [])
      const { refresh_token: token } = await ada.tokens()
      const [listed, ...others] = await ada.list()
      assert.deepEqual(others, [])
      assert.equal(listed?.clientId, shop.clientId)
      assert.deepEqual([...listed.scopes].sort(), ['offline_access', 'openid'])
      const [signedIn, idle, end] = [listed.authTime, listed.idleExpiration, listed.expiration].map((time) =>
        timestampMs(time ?? assert.fail()),
      ) as [number, number, number]
      assert.ok(signedIn < idle && idle < end)
      // The next one takes its place.
      assert.equal((await refresh(world, shop, token)).status, 200)
      assert.deepEqual(
        (await ada.list()).map(({ id }) => id),
        [listed.id],
      )
    })

    test('are revoked one by one, with the access token, and only by their owner', async () => {
      const eve = await addPerson('eve')
      const bob = await addPerson('bob')
      const tokens = await eve.tokens()
      const others = await eve.tokens()
      const [second, first] = await eve.list()
      const id = first?.id ?? assert.fail()
      await isRefused(world.call(own.revokeMyRefreshToken, { id }, bob.as), 'grant.refresh_token_not_found')
      await world.call(own.revokeMyRefreshToken, { id }, eve.as)
      assert.equal((await refresh(world, shop, tokens.refresh_token)).status, 400)
      assert.equal((await userinfo(world, tokens.access_token)).status, 401)
      assert.equal((await userinfo(world, others.access_token)).status, 200)
      assert.deepEqual(
        (await eve.list()).map((one) => one.id),
        [second?.id],
      )
      await isRefused(world.call(own.revokeMyRefreshToken, { id }, eve.as), 'grant.refresh_token_not_found')
    })

    test('are all revoked at once, those of nobody else', async () => {
      const cleo = await addPerson('cleo')
      const dan = await addPerson('dan')
      const [one, another, ofDan] = [await cleo.tokens(), await cleo.tokens(), await dan.tokens()]
      await world.call(own.revokeAllMyRefreshTokens, {}, cleo.as)
      assert.deepEqual(await cleo.list(), [])
      for (const { refresh_token: token } of [one, another]) {
        assert.equal((await refresh(world, shop, token)).status, 400)
      }
      assert.equal((await refresh(world, shop, ofDan.refresh_token)).status, 200)
    })
  })
}
