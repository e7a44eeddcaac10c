/** Approval by the person (OpenID Connect CIBA): an application asks, the person decides once, and the tokens follow. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { ProjectService } from '../../contract/gen/signet/project/v2/project_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { inboxMails } from '../../src/features/mail/index.ts'
import { textsIn } from '../../src/web/language.ts'
import {
  APPROVALS,
  type ApprovingPerson,
  ASKING,
  addApprovingPerson,
  askApproval,
  codeOf,
  movableClock,
  openApproval,
  pollTokens,
  requestApproval,
  signInWithCode,
} from '../support/ciba.ts'
import { bothEngines } from '../support/engines.ts'
import { assertError, introspect, readIdToken, signInFor } from '../support/openid-flow.ts'
import { assertSays, signedIn } from '../support/openid-pages.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const [de, en] = [textsIn('de'), textsIn('en')]

for (const engine of bothEngines) {
  suite(`approval by the person on ${engine.name}`, () => {
    let world: OpenIdWorld
    let bob: ApprovingPerson
    let application: Application

    before(async () => {
      world = await openOpenIdWorld({ engine })
    })

    beforeEach(async () => {
      bob = await addApprovingPerson(world)
      application = await world.addApplication(ASKING)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const approve = async ({ browser }: ApprovingPerson) =>
      browser.send(await openApproval(world, browser), { code: codeOf(world) }, APPROVALS)

    test('the person is told by mail and on the account page, approves with a code, and tokens say how', async () => {
      const runner = world.run()
      const more = { binding_message: 'Pay 12 € · W4SCT', scope: 'openid offline_access' }
      const asked = await requestApproval(world, application, bob.name, more)
      assert.equal(asked.interval, 5)
      assert.equal(asked.expires_in, 300)
      assertError(await pollTokens(world, application, asked), 400, 'authorization_pending')
      const { browser } = bob
      assertSays(await browser.open(`${world.url}/ui/account`), en.approvals.waiting({ count: 1 }))
      const page = await openApproval(world, browser)
      assertSays(page, 'Pay 12 € · W4SCT', en.scopes.openid, en.approvals.warning)
      const since = Math.floor(world.app.clock() / 1000)
      assertSays(await browser.send(page, { code: codeOf(world) }, APPROVALS), en.approvals.approved)
      const { status, body, text } = await pollTokens(world, application, asked)
      assert.equal(status, 200, text)
      const claims = await readIdToken(world, application, body.id_token)
      assert.equal(claims.sub, bob.userId)
      assert.equal(claims.acr, 'urn:signet:acr:2')
      assert.deepEqual(claims.amr, ['pwd', 'otp', 'mfa'])
      // The time of the proof, not that of the sign-in before.
      assert.ok(Number(claims.auth_time) >= since)
      const shown = (await introspect(world, application, body.access_token)).body
      assert.equal(shown.acr, claims.acr)
      assert.equal(shown.auth_time, claims.auth_time)
      assert.ok(body.refresh_token)
      const mails = async () => (await world.store.find(inboxMails, { limit: 100 })).documents
      const isTold = async () => JSON.stringify(await mails()).includes('approval_requested')
      while (!(await isTold())) await new Promise((done) => setTimeout(done, 20))
      assert.ok(!JSON.stringify(await mails()).includes('W4SCT'))
      await runner.stop()
    })

    test('an ID counts once; the second use ends what the first one got', async () => {
      const asked = await requestApproval(world, application, bob.name)
      await approve(bob)
      const { body } = await pollTokens(world, application, asked)
      assert.equal((await introspect(world, application, body.access_token)).body.active, true)
      assertError(await pollTokens(world, application, asked), 400, 'invalid_grant')
      assert.equal((await introspect(world, application, body.access_token)).body.active, false)
    })

    test('the person refuses without a proof, and the application learns it', async () => {
      const asked = await requestApproval(world, application, bob.name)
      const page = await openApproval(world, bob.browser)
      assertSays(await bob.browser.send(page, { do: 'refuse' }, APPROVALS), en.approvals.refused)
      assertError(await pollTokens(world, application, asked), 400, 'access_denied')
      assertSays(await bob.browser.send(page, { code: codeOf(world) }, APPROVALS), en.approvals.gone)
      assertSays(await bob.browser.open(`${world.url}${APPROVALS}?lang=de`), de.approvals.none)
    })

    test('a wrong code, none, and a proof from before the request approve nothing', async () => {
      const asked = await requestApproval(world, application, bob.name)
      const page = await openApproval(world, bob.browser)
      for (const code of ['', '000000']) {
        assert.equal((await bob.browser.send(page, { code }, APPROVALS)).status, 422)
      }
      assertError(await pollTokens(world, application, asked), 400, 'authorization_pending')
      assertError(await pollTokens(world, application, asked), 400, 'slow_down')
    })

    test('a person without a second factor cannot approve, nor can they decide what another is asked', async () => {
      const name = `ada-${world.app.newId()}`
      await world.addPerson(name)
      const ada = await signedIn(world, name)
      const hers = await requestApproval(world, application, name)
      const page = await openApproval(world, ada)
      assertSays(page, en.approvals.noFactor)
      const send = (id: string | null, what: string) =>
        ada.submit(`${world.url}${APPROVALS}`, new URLSearchParams({ id: id ?? '', do: what, code: '1' }))
      assertSays(await send(new URL(page.url).searchParams.get('id'), 'approve'), en.approvals.noFactor)
      assertError(await pollTokens(world, application, hers), 400, 'authorization_pending')
      const his = await requestApproval(world, application, bob.name)
      const { url } = await openApproval(world, bob.browser)
      assertSays(await ada.open(url), en.approvals.gone)
      for (const what of ['approve', 'refuse']) {
        assertSays(await send(new URL(url).searchParams.get('id'), what), en.approvals.gone)
      }
      assertError(await pollTokens(world, application, his), 400, 'authorization_pending')
    })

    test('who signs in with two factors after the request need not show them again', async () => {
      const asked = await requestApproval(world, application, bob.name)
      const browser = await signInWithCode(world, bob.name)
      assertSays(await browser.send(await openApproval(world, browser), {}, APPROVALS), en.approvals.approved)
      assert.equal((await pollTokens(world, application, asked)).status, 200)
    })

    test('the person is found by an ID token of theirs', async () => {
      const name = `ada-${world.app.newId()}`
      await world.addPerson(name)
      const { id_token: hint } = await signInFor(world, application, { scope: 'openid' }, { name })
      const form = { login_hint: undefined, id_token_hint: hint }
      assert.ok((await requestApproval(world, application, '', form)).auth_req_id)
    })

    test('what ends the application or the person ends the request', async () => {
      const asked = await requestApproval(world, application, bob.name)
      const page = await openApproval(world, bob.browser)
      const { id: applicationId, projectId } = application
      const { method } = ApplicationService
      await world.call(method.deactivateApplication, { applicationId, projectId }, world.owner)
      assertSays(await bob.browser.send(page, { code: codeOf(world) }, APPROVALS), en.approvals.gone)
      await world.call(method.reactivateApplication, { applicationId, projectId }, world.owner)
      await world.call(UserService.method.lockUser, { userId: bob.userId }, world.owner)
      await world.call(UserService.method.unlockUser, { userId: bob.userId }, world.owner)
      assertError(await pollTokens(world, application, asked), 400, 'access_denied')
      const carl = await addApprovingPerson(world)
      const his = await requestApproval(world, application, carl.name)
      await approve(carl)
      await world.call(UserService.method.deleteUser, { userId: carl.userId }, world.owner)
      assertError(await pollTokens(world, application, his), 400, 'invalid_grant')
    })

    test('a closed organization ends the requests of its users, also when it is opened again', async () => {
      const { method } = OrganizationService
      const { organizationId } = await world.call(method.addOrganization, { name: 'Asked there' }, world.owner)
      const { projectId } = application
      const grant = { projectId, grantedOrganizationId: organizationId }
      await world.call(ProjectService.method.createProjectGrant, grant, world.owner)
      const dora = await addApprovingPerson(world, organizationId)
      const asked = await requestApproval(world, application, dora.name)
      const page = await openApproval(world, dora.browser)
      await world.call(method.deactivateOrganization, { organizationId }, world.owner)
      await world.call(method.activateOrganization, { organizationId }, world.owner)
      assertError(await pollTokens(world, application, asked), 400, 'access_denied')
      const later = await requestApproval(world, application, dora.name)
      const browser = await signInWithCode(world, dora.name)
      assertSays(await browser.open(`${world.url}/ui/account`), en.approvals.waiting({ count: 1 }))
      assertSays(await browser.send(page, {}, APPROVALS), en.approvals.gone)
      await browser.send(await openApproval(world, browser), {}, APPROVALS)
      assert.equal((await pollTokens(world, application, later)).status, 200)
    })

    test('of decisions at once, on two nodes, one counts', async () => {
      const other = engine.name === 'postgres' ? (await world.serveAnother()).url : world.url
      for (let round = 0; round < 4; round++) {
        const { name } = await addApprovingPerson(world)
        const asked = await requestApproval(world, application, name)
        // Proven since, so that each decision is one write.
        const browser = await signInWithCode(world, name)
        const id = new URL((await openApproval(world, browser)).url).searchParams.get('id') ?? ''
        const send = (url: string, what: string) =>
          browser.submit(`${url}${APPROVALS}`, new URLSearchParams({ id, do: what }))
        const answers = await Promise.all([send(world.url, 'approve'), send(other, 'refuse'), send(other, 'approve')])
        const said = answers.filter(({ status }) => status === 200)
        assert.equal(said.length, 1, answers.map(({ status }) => status).join())
        const isApproved = said[0]?.text.includes(en.approvals.approvedText) === true
        const { status, body } = await pollTokens(world, application, asked)
        assert.deepEqual([status, body.error], isApproved ? [200, undefined] : [400, 'access_denied'])
      }
    })

    test('of several who redeem at once, one gets tokens', async () => {
      const asked = await requestApproval(world, application, bob.name)
      await approve(bob)
      const answers = await Promise.all(Array.from({ length: 5 }, () => pollTokens(world, application, asked)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    })
  })

  suite(`how often and how long applications ask on ${engine.name}`, () => {
    const { clock, move } = movableClock()
    let world: OpenIdWorld
    let bob: ApprovingPerson
    let application: Application

    before(async () => {
      world = await openOpenIdWorld({ engine, clock })
    })

    beforeEach(async () => {
      bob = await addApprovingPerson(world)
      application = await world.addApplication(ASKING)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    test('a request expires, at the page and for the application', async () => {
      const asked = await requestApproval(world, application, bob.name, { requested_expiry: '45' })
      assert.equal(asked.expires_in, 45)
      const page = await openApproval(world, bob.browser)
      move(46_000)
      assertSays(await bob.browser.send(page, { code: codeOf(world) }, APPROVALS), en.approvals.gone)
      assertError(await pollTokens(world, application, asked), 400, 'expired_token')
      const lasts = async (requested: string) =>
        (await requestApproval(world, application, bob.name, { requested_expiry: requested })).expires_in
      assert.deepEqual([await lasts('9999999'), await lasts('1')], [600, 30])
    })

    test('an application has three open requests with a person, and more once they expired', async () => {
      for (let count = 0; count < 3; count++) await requestApproval(world, application, bob.name)
      assertError(await askApproval(world, application, bob.name), 429, 'temporarily_unavailable')
      // Another application is not kept from asking, and a decision makes room.
      await requestApproval(world, await world.addApplication(ASKING), bob.name)
      const page = await openApproval(world, bob.browser)
      await bob.browser.send(page, { do: 'refuse' }, APPROVALS)
      await requestApproval(world, application, bob.name)
      assertError(await askApproval(world, application, bob.name), 429, 'temporarily_unavailable')
      move(301_000)
      for (let count = 0; count < 3; count++) await requestApproval(world, application, bob.name)
    })

    test('an application does not ask a person on and on who does not approve', async () => {
      let asked = 0
      let answer = await askApproval(world, application, bob.name)
      for (; answer.status === 200; answer = await askApproval(world, application, bob.name)) {
        asked += 1
        move(301_000)
      }
      assertError(answer, 429, 'temporarily_unavailable')
      assert.equal(asked, 20)
    })
  })
}
