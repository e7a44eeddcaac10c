/**
 * Two nodes on one PostgreSQL: what ends on one has ended on the other, and a code counts once. Run more rounds with
 * `SIGNET_TEST_ROUNDS=10000 node tools/run-tests.ts openid/two-nodes --test-timeout=3600000`.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { openGrantWithToken } from '../../src/features/grants/index.ts'
import { bothEngines } from '../support/engines.ts'
import {
  type Application,
  type Browser,
  type OpenIdWorld,
  openOpenIdWorld,
  REDIRECT_URI,
} from '../support/openid-world.ts'

const given = Number(process.env.SIGNET_TEST_ROUNDS ?? 0)
const ROUNDS = given || 200
const CODES = given === 0 ? 50 : Math.ceil(given / 20)
const AT_ONCE = 8

/** Runs a number of rounds, some at once. */
async function repeat(count: number, round: () => Promise<void>): Promise<void> {
  let left = count
  const run = async () => {
    while (left-- > 0) await round()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

for (const engine of bothEngines.filter(({ name }) => name === 'postgres')) {
  suite('OpenID on two nodes', { timeout: 3_600_000 }, () => {
    let world: OpenIdWorld
    let other: string
    let application: Application
    let browser: Browser
    let userId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      other = (await world.serveAnother()).url
      userId = await world.addPerson('ada')
      application = await world.addApplication()
      browser = world.browser()
      const page = await browser.open(authorization('first').href)
      await world.signIn(browser, page, 'ada')
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const authorization = (verifier: string) => {
      const url = new URL('/oauth/v2/authorize', world.url)
      const query = {
        client_id: application.clientId,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'openid profile',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url
    }

    const post = (url: string, path: string, form: Readonly<Record<string, string>>) => {
      const credentials = `${application.clientId}:${application.clientSecret}`
      const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
      return fetch(`${url}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    }

    /** A code, and the form that redeems it. */
    const newCode = async () => {
      const verifier = randomBytes(32).toString('base64url')
      const { url } = await browser.open(authorization(verifier).href)
      const code = new URL(url).searchParams.get('code') ?? assert.fail(`no code: ${url}`)
      return { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: verifier }
    }

    const userinfo = async (url: string, token: string) => {
      const response = await fetch(`${url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })
      await response.arrayBuffer()
      return response.status
    }

    /** A token of the application for a session; without one, it depends on none. */
    const newToken = async (sessionId = '') => {
      const { app, defaultOrganizationId: organizationId } = world
      const at = app.clock()
      const subject = {
        userId,
        organizationId,
        isMachine: false,
        clientId: application.clientId,
        applicationId: application.id,
        projectId: application.projectId,
        sessionId,
        scope: 'openid',
        audience: [application.projectId],
        authenticatedAt: at,
        amr: ['pwd'],
        acr: '',
      }
      const token = { grantType: 'authorization_code', lifetimeMs: 60_000 }
      return (await openGrantWithToken(app, { actor: { user: userId }, at }, subject, token)).text
    }

    test(`a token that is revoked on one is invalid on the other at once, ${ROUNDS} times`, async () => {
      await repeat(ROUNDS, async () => {
        const token = await newToken()
        assert.equal(await userinfo(other, token), 200)
        const revoked = await post(world.url, '/oauth/v2/revoke', { token })
        await revoked.arrayBuffer()
        assert.equal(revoked.status, 200)
        assert.equal(await userinfo(other, token), 401)
      })
    })

    test(`tokens of a session that ends on one are invalid on the other at once, ${ROUNDS} times`, async () => {
      const checks = { user: { search: { case: 'userId', value: userId } } } as const
      await repeat(ROUNDS, async () => {
        const { sessionId } = await world.call(SessionService.method.createSession, { checks }, world.owner)
        const token = await newToken(sessionId)
        assert.equal(await userinfo(other, token), 200)
        await world.call(SessionService.method.deleteSession, { sessionId }, world.owner)
        assert.equal(await userinfo(other, token), 401)
      })
    })

    test(`a code that is redeemed on both at once yields tokens once, ${CODES} times`, async () => {
      let yielded = 0
      await repeat(CODES, async () => {
        const form = await newCode()
        const answers = await Promise.all([world.url, other].map((url) => post(url, '/oauth/v2/token', form)))
        const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { readonly error?: string }[]
        const refused = bodies.filter(({ error }) => error === 'invalid_grant')
        const successes = answers.filter(({ status }) => status === 200)
        assert.ok(successes.length <= 1, 'two requests got tokens')
        assert.equal(successes.length + refused.length, 2, JSON.stringify(bodies.map(({ error }) => error)))
        yielded += successes.length
      })
      assert.equal(yielded, CODES)
    })
  })
}
