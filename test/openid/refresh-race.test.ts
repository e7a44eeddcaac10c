/**
 * Many uses of one refresh token or code at once, on two nodes: exactly one of them gets tokens, and these count. Run more
 * rounds with `SIGNET_TEST_ROUNDS=1000 node tools/run-tests.ts openid/refresh-race`.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { instant, systemClock } from '../../src/kernel/instant.ts'
import { bothEngines } from '../support/engines.ts'
import {
  assertError,
  authorize,
  basic,
  codeForm,
  type Parameters,
  post,
  refresh,
  signInFor,
  userinfo,
} from '../support/openid-flow.ts'
import { type Application, type Browser, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const ROUNDS = Number(process.env.SIGNET_TEST_ROUNDS ?? 0) || 25
const AT_ONCE = 8
const OFFLINE = { scope: 'openid offline_access' }

for (const engine of bothEngines) {
  suite(`one token used many times at once on ${engine.name}`, { timeout: 3_600_000 }, () => {
    let world: OpenIdWorld
    let nodes: readonly string[]
    let browser: Browser
    let opaque: Application
    let signed: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
      nodes = [world.url, (await world.serveAnother()).url]
      await world.addPerson('ada')
      opaque = await world.addApplication({ grantTypes: [0, 2] })
      signed = await world.addApplication({ grantTypes: [0, 2], accessTokenType: 1 })
      browser = world.browser()
      await signInFor(world, opaque, {}, { browser })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** Sends a form from all sides at once; returns the answer of the only one that won. */
    const race = async (application: Application, form: Parameters) => {
      const ask = (_: unknown, racer: number) =>
        post(`${nodes[racer % nodes.length]}/oauth/v2/token`, form, basic(application))
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask))
      const [winner = assert.fail(), ...others] = answers.toSorted((one, two) => one.status - two.status)
      assert.equal(winner.status, 200, winner.text)
      for (const { body, text } of others) assert.equal(body.error, 'invalid_grant', text)
      return winner.body
    }

    for (const [name, applicationOf] of [
      ['opaque', () => opaque],
      ['signed', () => signed],
    ] as const) {
      test(`one of ${AT_ONCE} refreshes wins, and again with its new token, ${ROUNDS} times, ${name}`, async () => {
        const application = applicationOf()
        let { refresh_token: token } = await signInFor(world, application, OFFLINE, { browser })
        for (let round = 0; round < ROUNDS; round += 1) {
          const body = await race(application, { grant_type: 'refresh_token', refresh_token: token })
          for (const url of nodes) assert.equal((await userinfo({ ...world, url }, body.access_token)).status, 200)
          token = body.refresh_token
        }
      })
    }

    test(`one of ${AT_ONCE} uses of a code wins, ${ROUNDS} times`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { values } = await authorize(world, opaque, OFFLINE, { browser })
        await race(opaque, codeForm(values))
      }
    })
  })
  suite(`a refresh token that is used again on ${engine.name}`, () => {
    /** How far the clock of the server is ahead. */
    let aheadMs = 0
    let world: OpenIdWorld
    let application: Application
    let other: Application

    before(async () => {
      world = await openOpenIdWorld({ engine, clock: () => instant(systemClock() + aheadMs) })
      await world.addPerson('ada')
      application = await world.addApplication({ grantTypes: [0, 2] })
      other = await world.addApplication({ grantTypes: [0, 2] })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('used half a minute later revokes all tokens that came from it', async () => {
      const tokens = await signInFor(world, application, OFFLINE)
      const { body: next } = await refresh(world, application, tokens.refresh_token)
      assert.equal((await userinfo(world, tokens.access_token)).status, 401)
      assert.equal((await userinfo(world, next.access_token)).status, 200)
      aheadMs += 30_000
      assertError(await refresh(world, other, tokens.refresh_token), 400, 'invalid_grant')
      assert.equal((await userinfo(world, next.access_token)).status, 200)
      assertError(await refresh(world, application, tokens.refresh_token), 400, 'invalid_grant')
      assert.equal((await userinfo(world, next.access_token)).status, 401)
      assertError(await refresh(world, application, next.refresh_token), 400, 'invalid_grant')
    })
  })
}
