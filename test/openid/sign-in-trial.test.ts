/**
 * A sign-in that an administrator tries out ends at the console and shows claims. It needs a ticket for this application and
 * this PKCE challenge, gives no tokens, and leaves the redirect URIs as they are.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import * as client from 'openid-client'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { applicationsWithAccess } from '../../src/features/grants/index.ts'
import { instant } from '../../src/kernel/instant.ts'
import { engines } from '../support/engines.ts'
import { assertSays, authorizationUrl, signedIn } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const REFUSED = 'invalid_redirect_uri'

for (const engine of engines) {
  suite(`a trial of a sign-in on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let adaId: string
    let late = 0

    before(async () => {
      world = await openOpenIdWorld({ engine, clock: () => instant(Date.now() + late) })
      adaId = await world.addPerson('ada')
      application = await world.addApplication({ idTokenUserinfoAssertion: true })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const start = async ({ id: applicationId, projectId } = application) => {
      const verifier = client.randomPKCECodeVerifier()
      const codeChallenge = await client.calculatePKCECodeChallenge(verifier)
      const message = { applicationId, projectId, codeChallenge }
      const { ticket, redirectUri } = await world.call(ApplicationService.method.startSignInTrial, message, world.owner)
      const asked = { redirect_uri: redirectUri, code_challenge: codeChallenge, scope: 'openid profile email' }
      return { verifier, ticket, redirectUri, asked: { ...asked, trial: ticket } }
    }
    const signIn = async (one = application) => {
      const trial = await start(one)
      const browser = await signedIn(world)
      const stop = await browser.open(authorizationUrl(world, one, trial.asked))
      // The page of the console is not served here.
      const code = new URL(stop.url).searchParams.get('code') ?? assert.fail(stop.url)
      return { ...trial, code, stop }
    }
    const finish = async (code: string, verifier: string) => {
      const body = new URLSearchParams({ code, code_verifier: verifier })
      const answer = await fetch(`${world.url}/ui/console/try/finish`, { method: 'POST', body })
      return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, never>> }
    }

    test('shows what the application would learn, once, and leaves nothing behind', async () => {
      const { code, verifier, stop, redirectUri } = await signIn()
      assert.ok(stop.url.startsWith(`${redirectUri}?`), stop.url)
      assert.equal((await finish(code, client.randomPKCECodeVerifier())).status, 400)
      const { status, body } = await finish(code, verifier)
      assert.equal(status, 200, JSON.stringify(body))
      const { id_token: idToken, userinfo } = body as unknown as Readonly<Record<string, Record<string, unknown>>>
      assert.deepEqual([idToken?.sub, idToken?.azp, idToken?.iss], [adaId, application.clientId, world.url])
      assert.deepEqual([idToken?.email, userinfo?.email], ['ada@example.com', 'ada@example.com'])
      assert.doesNotMatch(JSON.stringify(body), /eyJ/)
      assert.equal((await finish(code, verifier)).status, 400)
      assert.deepEqual(await applicationsWithAccess(world.app, adaId), [])
    })

    test('gives no tokens, not even to the application itself', async () => {
      const spa = await world.addApplication({ appType: 1, applicationType: 2, authMethodType: 2 })
      for (const one of [application, spa]) {
        const { code, verifier, redirectUri } = await signIn(one)
        const form = {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          redirect_uri: redirectUri,
          client_id: one.clientId,
          ...(one.clientSecret !== '' && { client_secret: one.clientSecret }),
        }
        const basic = `Basic ${Buffer.from(`${one.clientId}:${one.clientSecret}`).toString('base64')}`
        const { client_secret: _, ...rest } = form as Record<string, string>
        const answer = await fetch(`${world.url}/oauth/v2/token`, {
          method: 'POST',
          body: new URLSearchParams(rest),
          headers: one.clientSecret === '' ? {} : { authorization: basic },
        })
        assert.deepEqual([answer.status, ((await answer.json()) as { error: string }).error], [400, 'invalid_grant'])
      }
    })

    test('needs a ticket, for this application and this challenge, that has not expired', async () => {
      const other = await world.addApplication()
      const { asked, ticket } = await start()
      const browser = await signedIn(world)
      const isRefused = async (more: Readonly<Record<string, string>>, one = application) =>
        assertSays(await browser.open(authorizationUrl(world, one, { ...asked, ...more })), REFUSED)
      await isRefused({ trial: '' })
      await isRefused({ trial: `${ticket.slice(0, -1)}${ticket.endsWith('A') ? 'B' : 'A'}` })
      await isRefused({}, other)
      await isRefused({ code_challenge: await client.calculatePKCECodeChallenge('another'.repeat(8)) })
      await isRefused({ redirect_uri: `${asked.redirect_uri}/` })
      await isRefused({ redirect_uri: `${world.url}/ui/console/callback` })
      late = 11 * 60_000
      await isRefused({})
      late = 0
    })

    test('is none for the code of a real sign-in, nor for an API', async () => {
      const browser = await signedIn(world)
      const verifier = client.randomPKCECodeVerifier()
      const stop = await browser.open(
        authorizationUrl(world, application, { code_challenge: await client.calculatePKCECodeChallenge(verifier) }),
      )
      const code = new URL(stop.url).searchParams.get('code') ?? assert.fail(stop.url)
      assert.equal((await finish(code, verifier)).status, 400)
      await assert.rejects(start(await world.addApi(application.projectId)), { code: 'application.other_type' })
    })
  })
}
