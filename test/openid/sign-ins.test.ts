/** Sign-ins to applications, and what applications sent and was refused, as administrators see them. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  RefusedRequestKind,
  SignInFailure,
  SignInMethod,
  SignInOutcome,
  SignInSettingLevel,
} from '../../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { SignInService } from '../../contract/gen/signet/sign_in/v1/sign_in_service_pb.ts'
import { engines } from '../support/engines.ts'
import { authorizationUrl, basic, post } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'

const { listSignIns, explainSignIn, countSignIns, listRefusedRequests } = SignInService.method

for (const engine of engines) {
  suite(`sign-ins to applications on ${engine.name}`, () => {
    let world: OpenIdWorld
    before(async () => {
      world = await openOpenIdWorld({ engine })
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const list = async (applicationId: string) =>
      (await world.call(listSignIns, { applicationId }, world.owner)).signIns
    const numbers = async (applicationId: string) => {
      const scope = { case: 'applicationId', value: applicationId } as const
      const { days } = await world.call(countSignIns, { scope }, world.owner)
      return {
        succeeded: days.flatMap(({ succeeded }) => succeeded.map(({ method, count }) => [method, Number(count)])),
        failed: days.flatMap(({ failed }) => failed.map(({ failure, count }) => [failure, Number(count)])),
      }
    }
    const exchange = (application: Application, callback: string, more = {}) => {
      const code = new URL(callback).searchParams.get('code') ?? ''
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more }
      return post(`${world.url}/oauth/v2/token`, form, basic(application))
    }

    test('belong to one sign-in for each session, however often an application renews or refreshes', async () => {
      await world.addPerson('ada')
      const shop = await world.addApplication({ grantTypes: [0, 2] }, undefined, 'Shop')
      const wiki = await world.addApplication({}, undefined, 'Wiki')
      const browser = world.browser()
      const scope = 'openid offline_access'
      const page = await browser.open(authorizationUrl(world, shop, { scope }))
      const stop = await world.signIn(browser, page, 'ada')
      const tokens = await exchange(shop, stop.url)
      assert.equal(tokens.status, 200, tokens.text)
      const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.body.refresh_token) }
      assert.equal((await post(`${world.url}/oauth/v2/token`, refresh, basic(shop))).status, 200)
      for (const application of [shop, wiki, wiki]) {
        const again = await browser.open(authorizationUrl(world, application, { prompt: 'none' }))
        assert.ok(again.url.startsWith(REDIRECT_URI), again.url)
      }
      const [found, ...more] = await list(shop.id)
      assert.equal(more.length, 0)
      assert.equal(found?.outcome, SignInOutcome.SUCCEEDED)
      assert.deepEqual(
        found.applications.map(({ name }) => name),
        ['Shop', 'Wiki'],
      )
      assert.equal((await list(wiki.id))[0]?.id, found.id)
      assert.deepEqual(await numbers(shop.id), { succeeded: [[SignInMethod.PASSWORD, 1]], failed: [] })
      assert.deepEqual(await numbers(wiki.id), { succeeded: [[SignInMethod.PASSWORD, 1]], failed: [] })
      const { applications } = await world.call(countSignIns, {}, world.owner)
      const ranked = applications.map(({ application, succeeded }) => [application?.name, Number(succeeded)])
      assert.deepEqual(ranked.sort(), [
        ['Shop', 1],
        ['Wiki', 1],
      ])
      const { steps } = await world.call(explainSignIn, { signInId: found.id }, world.owner)
      const last = steps.at(-1)
      assert.equal(last?.application?.name, 'Wiki')
    })

    test('that fail on the page name the application that asked', async () => {
      await world.addPerson('bob')
      const shop = await world.addApplication({}, undefined, 'Bakery')
      for (const userName of ['bob', 'nobody']) {
        const browser = world.browser()
        const page = await browser.open(authorizationUrl(world, shop))
        await browser.send(page, { userName, password: 'wrong' }, '/ui/login')
      }
      const found = await list(shop.id)
      assert.deepEqual(
        found.map(({ failure, user, organizationId, applications }) => [
          failure,
          user?.displayName,
          organizationId,
          applications[0]?.name,
        ]),
        [
          [SignInFailure.UNKNOWN_USER, undefined, world.defaultOrganizationId, 'Bakery'],
          [SignInFailure.WRONG_PASSWORD, 'bob Person', world.defaultOrganizationId, 'Bakery'],
        ],
      )
    })

    test('that a rule of the application refuses name the rule', async () => {
      const userId = await world.addPerson('eve')
      const shop = await world.addApplication({}, await world.addProject({ authorizationRequired: true }), 'Members')
      const browser = world.browser()
      await world.signIn(browser, await browser.open(authorizationUrl(world, shop)), 'eve')
      const [found] = (await world.call(listSignIns, { userId }, world.owner)).signIns
      const { signIn, steps } = await world.call(explainSignIn, { signInId: found?.id ?? '' }, world.owner)
      // The user is signed in, but not to this application.
      assert.equal(signIn?.outcome, SignInOutcome.SUCCEEDED)
      assert.deepEqual(signIn.applications, [])
      const { setting, failure } = steps.at(-1) ?? assert.fail()
      assert.equal(failure, SignInFailure.NOT_ALLOWED)
      assert.deepEqual(
        [setting?.name, setting?.value, setting?.level],
        ['authorizationRequired', 'true', SignInSettingLevel.APPLICATION],
      )
      assert.deepEqual(await numbers(shop.id), { succeeded: [], failed: [[SignInFailure.NOT_ALLOWED, 1]] })
    })

    test('are refused with a wrong redirect URI, secret or client: counted, and shown with what was received', async () => {
      const shop = await world.addApplication({}, undefined, 'Florist')
      const browser = world.browser()
      const wrong = 'https://app.example/wrong'
      const tryWrong = () => browser.open(authorizationUrl(world, shop, { redirect_uri: wrong }))
      const read = async () =>
        (await world.call(listRefusedRequests, { applicationId: shop.id }, world.owner)).refusedRequests
      await tryWrong()
      // The first one is written at once, the others with the next ones.
      while ((await read()).length < 1) await sleep(10)
      await tryWrong()
      await tryWrong()
      const secret = 'the-secret-that-nobody-may-see'
      const answer = await exchange({ ...shop, clientSecret: secret }, `${REDIRECT_URI}?code=x`)
      assert.equal(answer.status, 401)
      for (const clientId of ['unknown-1', 'unknown-2']) {
        await browser.open(authorizationUrl(world, { clientId }))
        await exchange({ ...shop, clientId, clientSecret: secret }, `${REDIRECT_URI}?code=x`)
      }
      const unknown = async () => {
        const { days } = await world.call(countSignIns, {}, world.owner)
        const all = days.flatMap(({ failed }) => failed)
        return Number(all.find(({ failure }) => failure === SignInFailure.UNKNOWN_CLIENT)?.count ?? 0)
      }
      while ((await read()).length < 2 || (await unknown()) < 4) await sleep(100)
      assert.deepEqual((await read()).map(({ kind, received, count }) => [kind, received, Number(count)]).sort(), [
        [RefusedRequestKind.REDIRECT_URI, wrong, 3],
        [RefusedRequestKind.CLIENT_AUTHENTICATION, 'client_secret_basic', 1],
      ])
      assert.equal(await unknown(), 4)
      assert.deepEqual((await numbers(shop.id)).failed.sort(), [
        [SignInFailure.WRONG_CLIENT_SECRET, 1],
        [SignInFailure.WRONG_REDIRECT_URI, 3],
      ])
      const events = await world.store.events({ descending: true, limit: 100 })
      assert.equal(JSON.stringify(events).includes(secret), false)
    })
  })
}
