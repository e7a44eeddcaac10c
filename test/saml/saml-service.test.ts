/** Login pages of the caller's own answer requests of service providers. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ErrorReason, SAMLService } from '../../contract/gen/signet/saml/v2/saml_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { LOGIN_PAGE, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type OpenIdWorld, openOpenIdWorld, PASSWORD } from '../support/openid-world.ts'
import { addProvider, type Provider } from '../support/saml-world.ts'
import { isRefused } from '../support/small-world.ts'

const { getSAMLRequest, createResponse } = SAMLService.method

for (const engine of engines) {
  suite(`the SAMLService on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let userId: string
    let provider: Provider

    before(async () => {
      world = await openOpenIdWorld({ engine })
      userId = await world.addPerson('ada')
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      provider = await addProvider(world, { config: WITH_LOGIN_PAGE })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const start = async (of = provider) => {
      const { url } = await world.browser().open(await of.signOnUrl('state'))
      assert.ok(url.startsWith(`${LOGIN_PAGE}/login?samlRequest=V2_`), url)
      return new URL(url).searchParams.get('samlRequest') ?? ''
    }
    const openSession = (password = PASSWORD) => {
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
      return world.call(SessionService.method.createSession, { checks }, world.owner)
    }
    const answer = (samlRequestId: string, session: { sessionId: string; sessionToken: string }, as = login) =>
      world.call(createResponse, { samlRequestId, responseKind: { case: 'session', value: session } }, as)

    test('shows a request, and answers it once with a session', async () => {
      const samlRequestId = await start()
      const { samlRequest } = await world.call(getSAMLRequest, { samlRequestId }, login)
      assert.equal(samlRequest?.issuer, provider.entityId)
      assert.equal(samlRequest?.relayState, 'state')
      const session = await openSession()
      const { url, binding, details } = await answer(samlRequestId, session)
      assert.equal(url, `${provider.entityId}/acs`)
      assert.ok(binding.case === 'post' && details)
      const { profile } = await provider.sp.validatePostResponseAsync({ SAMLResponse: binding.value.samlResponse })
      assert.equal(profile?.UserID, userId)
      await isRefused(answer(samlRequestId, session), 'authorization_request.finished')
    })

    test('answers with an error', async () => {
      const samlRequestId = await start()
      const value = { error: ErrorReason.REQUEST_DENIED, errorDescription: 'not today' }
      const { binding } = await world.call(
        createResponse,
        { samlRequestId, responseKind: { case: 'error', value } },
        login,
      )
      assert.ok(binding.case === 'post')
      const read = provider.sp.validatePostResponseAsync({ SAMLResponse: binding.value.samlResponse })
      await assert.rejects(read, /not today/)
    })

    test('is for login clients, for sessions whose token is shown, and for users with access', async () => {
      const samlRequestId = await start()
      const session = await openSession()
      await isRefused(answer(samlRequestId, session, { bearer: session.sessionToken }), 'access.forbidden')
      await isRefused(answer(samlRequestId, { ...session, sessionToken: 'wrong' }), 'session.token_invalid')
      await isRefused(answer('V2_none', session), 'authorization_request.not_found')
      const checks = { user: { search: { case: 'userId', value: userId } } } as const
      const unproven = await world.call(SessionService.method.createSession, { checks }, world.owner)
      await isRefused(answer(samlRequestId, unproven), 'authorization_request.sign_in_incomplete')
      const projectId = await world.addProject({ authorizationRequired: true })
      const closed = await addProvider(world, { config: WITH_LOGIN_PAGE, projectId })
      await isRefused(answer(await start(closed), session), 'authorization_request.no_access')
      const forced = await addProvider(world, { config: WITH_LOGIN_PAGE, options: { forceAuthn: true } })
      const request = await start(forced)
      await isRefused(answer(request, session), 'authorization_request.sign_in_too_old')
      assert.equal((await answer(request, await openSession())).binding.case, 'post')
    })
  })
}
