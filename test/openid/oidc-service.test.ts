/** A login page of the caller's own answers applications through the OIDCService. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ErrorReason, Prompt } from '../../contract/gen/signet/oidc/v2/authorization_pb.ts'
import { OIDCService } from '../../contract/gen/signet/oidc/v2/oidc_service_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import {
  askForToken,
  authorize,
  createCallback,
  LOGIN_PAGE,
  openSession,
  redeem,
  startRequest,
  tokensOf,
  WITH_LOGIN_PAGE,
} from '../support/login-page.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const api = OIDCService.method
const AFTER_LOGOUT = 'https://app.example/bye'

for (const engine of engines) {
  suite(`a login page of the caller's own on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let loginId: string
    let application: Application
    let ada: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      ada = await world.addPerson('ada')
      const page = await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })
      login = page.request
      loginId = page.userId
      application = await world.addApplication({
        ...WITH_LOGIN_PAGE,
        postLogoutRedirectUris: [AFTER_LOGOUT, 'https://logged-out'],
      })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const read = async (authRequestId: string, as = login) =>
      (await world.call(api.getAuthRequest, { authRequestId }, as)).authRequest ?? assert.fail('no request')

    test('reads what the application asks for', async () => {
      const session = await openSession(world, ada)
      const { id_token: hint = '' } = await tokensOf(world, login, application, session)
      const id = await startRequest(world, application, {
        scope: 'openid profile unknown',
        prompt: 'login consent',
        ui_locales: 'de en',
        login_hint: 'ada',
        id_token_hint: hint,
      })
      assert.match(id, /^V2_/)
      const request = await read(id)
      assert.equal(request.id, id)
      assert.equal(request.clientId, application.clientId)
      assert.deepEqual(request.scope, ['openid', 'profile'])
      assert.equal(request.redirectUri, REDIRECT_URI)
      assert.deepEqual(request.prompt, [Prompt.LOGIN, Prompt.CONSENT])
      assert.deepEqual(request.uiLocales, ['de', 'en'])
      assert.equal(request.loginHint, 'ada')
      assert.equal(request.maxAge?.seconds, 0n)
      assert.equal(request.hintUserId, ada)
      const plain = await read(await startRequest(world, application, { max_age: '60' }))
      assert.equal(plain.maxAge?.seconds, 60n)
      assert.equal(plain.loginHint, undefined)
      assert.equal(plain.hintUserId, undefined)
    })

    test('is told about prompt=none, and answers it', async () => {
      const url = await authorize(world, application, { prompt: 'none' })
      assert.ok(url.href.startsWith(`${LOGIN_PAGE}/login?`), url.href)
      const id = url.searchParams.get('authRequest') ?? ''
      assert.deepEqual((await read(id)).prompt, [Prompt.NONE])
      const callback = await createCallback(world, login, id, await openSession(world, ada))
      assert.equal((await redeem(world.url, application, callback.searchParams.get('code') ?? '')).status, 200)
    })

    test('leaves prompt=none of other applications to the server', async () => {
      const other = await world.addApplication()
      const url = await authorize(world, other, { prompt: 'none' })
      assert.equal(url.searchParams.get('error'), 'login_required')
    })

    test('gets a URL with a code, the state and the issuer, once', async () => {
      const id = await startRequest(world, application, { nonce: 'the nonce' })
      const session = await openSession(world, ada)
      const callback = await createCallback(world, login, id, session)
      assert.equal(callback.origin + callback.pathname, REDIRECT_URI)
      assert.equal(callback.searchParams.get('state'), 'the state')
      assert.equal(callback.searchParams.get('iss'), world.url)
      const { body } = await redeem(world.url, application, callback.searchParams.get('code') ?? '')
      const claims = JSON.parse(atob((body.id_token ?? '').split('.')[1] ?? ''))
      assert.equal(claims.sub, ada)
      assert.equal(claims.sid, session.sessionId)
      assert.equal(claims.nonce, 'the nonce')
      assert.deepEqual(claims.amr, ['pwd'])
      await isRefused(createCallback(world, login, id, session), 'authorization_request.finished')
      assert.equal((await read(id)).id, id, 'it can be read afterwards')
    })

    test('gets one code when it answers many times at once', async () => {
      const id = await startRequest(world, application)
      const session = await openSession(world, ada)
      const answers = await Promise.allSettled(
        Array.from({ length: 8 }, () => createCallback(world, login, id, session)),
      )
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
    })

    test('answers in the fragment when the application asks for it', async () => {
      const id = await startRequest(world, application, { response_mode: 'fragment' })
      const callback = await createCallback(world, login, id, await openSession(world, ada))
      assert.equal(callback.search, '')
      assert.ok(new URLSearchParams(callback.hash.slice(1)).get('code'))
    })

    test('keeps the query of the redirect URI', async () => {
      const redirectUri = 'https://app.example/callback?tenant=a%20b'
      const other = await world.addApplication({ ...WITH_LOGIN_PAGE, redirectUris: [redirectUri] })
      const id = await startRequest(world, other, { redirect_uri: redirectUri })
      const callback = await createCallback(world, login, id, await openSession(world, ada))
      assert.ok(callback.href.startsWith(`${redirectUri}&code=`), callback.href)
    })

    test('sends the application an error', async () => {
      const answer = (authRequestId: string, error: object) => {
        const callbackKind = { case: 'error', value: error } as const
        return world.call(api.createCallback, { authRequestId, callbackKind }, login)
      }
      const id = await startRequest(world, application)
      const { callbackUrl, details } = await answer(id, {
        error: ErrorReason.ACCESS_DENIED,
        errorDescription: 'not today',
        errorUri: 'https://login.example/why',
      })
      const url = new URL(callbackUrl)
      assert.deepEqual(Object.fromEntries(url.searchParams), {
        error: 'access_denied',
        error_description: 'not today',
        error_uri: 'https://login.example/why',
        state: 'the state',
        iss: world.url,
      })
      assert.equal(details?.resourceOwner, world.instanceId)
      await isRefused(answer(id, {}), 'authorization_request.finished')
      const session = await openSession(world, ada)
      await isRefused(createCallback(world, login, id, session), 'authorization_request.finished')
      for (const [error, text] of [
        [ErrorReason.UNSPECIFIED, 'server_error'],
        [ErrorReason.TEMPORARY_UNAVAILABLE, 'temporarily_unavailable'],
        [ErrorReason.LOGIN_REQUIRED, 'login_required'],
      ] as const) {
        const sent = await answer(await startRequest(world, application), { error })
        assert.equal(new URL(sent.callbackUrl).searchParams.get('error'), text)
      }
    })

    test('needs the permission, even when the browser names it', async () => {
      const session = await openSession(world, ada)
      const plain = await world.addMachine()
      const id = await startRequest(world, application)
      await isRefused(read(id, plain.request), 'access.forbidden')
      assert.equal((await read(id, world.owner)).id, id)
      for (const as of [plain.request, world.owner, { bearer: session.sessionToken }]) {
        await isRefused(createCallback(world, as, id, session), 'access.forbidden')
      }
      const named = await startRequest(world, application, {}, { 'x-zitadel-login-client': plain.userId })
      await isRefused(read(named, plain.request), 'access.forbidden')
      await isRefused(createCallback(world, plain.request, named, session), 'access.forbidden')
      await createCallback(world, login, named, session)
    })

    test('is not where the browser names somebody who may not answer', async () => {
      const hosted = await world.addApplication()
      const plain = await world.addMachine()
      const header = 'x-zitadel-login-client'
      assert.equal((await authorize(world, hosted, {}, { [header]: plain.userId })).pathname, '/ui/login')
      assert.equal((await authorize(world, hosted, {}, { [header]: loginId })).pathname, '/ui/v2/login/login')
    })

    test('cannot answer with a session that only names the user', async () => {
      const id = await startRequest(world, application)
      const checks = { user: { search: { case: 'userId', value: ada } } } as const
      const named = await world.call(SessionService.method.createSession, { checks }, login)
      await isRefused(createCallback(world, login, id, named), 'authorization_request.sign_in_incomplete')
    })

    test('cannot answer with one factor where two are required, or before a password is changed', async () => {
      const id = await startRequest(world, application)
      const session = await openSession(world, ada)
      const policy = { allowUsernamePassword: true } as const
      await world.call(AdminService.method.updateLoginPolicy, { ...policy, forceMfa: true }, world.owner)
      await isRefused(createCallback(world, login, id, session), 'authorization_request.sign_in_incomplete')
      await world.call(AdminService.method.updateLoginPolicy, policy, world.owner)
      const userId = await world.addPerson('changes')
      const password = 'another Passw0rd of theirs'
      const newPassword = { password, changeRequired: true }
      await world.call(UserService.method.setPassword, { userId, newPassword }, world.owner)
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
      const renewed = await world.call(SessionService.method.createSession, { checks }, login)
      await isRefused(createCallback(world, login, id, renewed), 'authorization_request.sign_in_incomplete')
      await createCallback(world, login, id, session)
    })

    test('finds no request that does not exist', async () => {
      const session = await openSession(world, ada)
      for (const id of ['V2_unknown', 'unknown', (await startRequest(world, application)).slice(3)]) {
        await isRefused(read(id), 'authorization_request.not_found')
        await isRefused(createCallback(world, login, id, session), 'authorization_request.not_found')
      }
      const plain = (await world.addMachine()).request
      await isRefused(read('V2_unknown', plain), 'access.forbidden')
    })

    test('cannot answer with a session that does not count', async () => {
      const id = await startRequest(world, application)
      const held = await openSession(world, ada)
      const { sessionToken } = await openSession(world, ada)
      const refuses = (session: typeof held, code: string) => isRefused(createCallback(world, login, id, session), code)
      await refuses({ sessionId: '1', sessionToken }, 'authorization_request.session_invalid')
      await refuses({ ...held, sessionToken }, 'session.token_invalid')
      const { sessionId } = held
      const next = await world.call(SessionService.method.setSession, { sessionId, metadata: { a: 'b' } }, world.owner)
      await refuses(held, 'session.token_invalid')
      const renewed = { sessionId, sessionToken: next.sessionToken }
      await world.call(SessionService.method.deleteSession, { sessionId }, world.owner)
      await refuses(renewed, 'authorization_request.session_invalid')
      const empty = await world.call(SessionService.method.createSession, {}, world.owner)
      await refuses(empty, 'authorization_request.session_invalid')
      await createCallback(world, login, id, await openSession(world, ada))
    })

    test('cannot answer for a user who is locked', async () => {
      const userId = await world.addPerson('grace')
      const session = await openSession(world, userId)
      await world.call(UserService.method.lockUser, { userId }, world.owner)
      const id = await startRequest(world, application)
      await isRefused(createCallback(world, login, id, session), 'authorization_request.user_not_active')
    })

    test('must let the user sign in again when the application asks for it', async () => {
      const old = await openSession(world, ada)
      for (const asked of [{ prompt: 'login' }, { max_age: '0' }]) {
        const id = await startRequest(world, application, asked)
        await isRefused(createCallback(world, login, id, old), 'authorization_request.sign_in_too_old')
        await createCallback(world, login, id, await openSession(world, ada))
      }
      await createCallback(world, login, await startRequest(world, application, { max_age: '600' }), old)
    })

    test('cannot sign users of another organization in where the application names one', async () => {
      const { organizationId } = await world.call(
        OrganizationService.method.addOrganization,
        { name: 'Other' },
        world.owner,
      )
      const id = await startRequest(world, application, { scope: `openid urn:zitadel:iam:org:id:${organizationId}` })
      await isRefused(
        createCallback(world, login, id, await openSession(world, ada)),
        'authorization_request.wrong_organization',
      )
    })

    test('is where users log out who bring no ID token', async () => {
      const logOut = async (
        asked: Readonly<Record<string, string>>,
        headers: Readonly<Record<string, string>> = {},
      ) => {
        const url = `${world.url}/oidc/v1/end_session?${new URLSearchParams(asked)}`
        const answer = await fetch(url, { redirect: 'manual', headers })
        return new URL(answer.headers.get('location') ?? assert.fail(await answer.text()), world.url)
      }
      const hints = { logout_hint: 'ada', ui_locales: 'de' }
      const asked = { client_id: application.clientId, post_logout_redirect_uri: AFTER_LOGOUT, state: 'z', ...hints }
      const page = await logOut(asked)
      assert.equal(page.origin + page.pathname, `${LOGIN_PAGE}/logout`)
      const { logout_token: token = '', ...others } = Object.fromEntries(page.searchParams)
      assert.deepEqual(others, { post_logout_redirect: `${AFTER_LOGOUT}?state=z`, ...hints })
      const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
      const { payload } = await jwtVerify(token, keys, { issuer: world.url })
      assert.equal(payload.post_logout_redirect_uri, `${AFTER_LOGOUT}?state=z`)
      assert.equal(payload.logout_hint, 'ada')
      const bare = { client_id: application.clientId, post_logout_redirect_uri: 'https://logged-out', state: 'state' }
      assert.equal((await logOut(bare)).searchParams.get('post_logout_redirect'), 'https://logged-out?state=state')
      const named = await logOut({}, { 'x-zitadel-login-client': loginId })
      assert.equal(named.pathname, '/ui/v2/login/logout')
      assert.equal(named.searchParams.get('post_logout_redirect'), `${world.url}/ui/logout/done`)
      assert.equal((await logOut({})).pathname, '/ui/logout/done')
    })

    suite('a device', () => {
      let device: Application

      before(async () => {
        device = await world.addApplication({ ...WITH_LOGIN_PAGE, grantTypes: [3], authMethodType: 2 })
      })

      const start = async () => {
        const answer = await fetch(`${world.url}/oauth/v2/device_authorization`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: device.clientId, scope: 'openid profile' }),
        })
        const { device_code: deviceCode, user_code: userCode } = (await answer.json()) as Record<string, string>
        const { deviceAuthorizationRequest } = await world.call(
          api.getDeviceAuthorizationRequest,
          { userCode: userCode ?? '' },
          login,
        )
        return { deviceCode: deviceCode ?? '', userCode: userCode ?? '', shown: deviceAuthorizationRequest }
      }
      const poll = (deviceCode: string) =>
        askForToken(world.url, device, {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: deviceCode,
          client_id: device.clientId,
        })
      type Decision =
        | { case: 'session'; value: Awaited<ReturnType<typeof openSession>> }
        | { case: 'deny'; value: object }
      const decide = (deviceAuthorizationId: string, decision: Decision, as = login) =>
        world.call(api.authorizeOrDenyDeviceAuthorization, { deviceAuthorizationId, decision } as never, as)

      test('is shown, approved and gets tokens, once', async () => {
        const { deviceCode, userCode, shown } = await start()
        assert.equal(shown?.clientId, device.clientId)
        assert.deepEqual(shown?.scope, ['openid', 'profile'])
        assert.match(shown?.appName ?? '', /^Application/)
        assert.match(shown?.projectName ?? '', /^Project/)
        const session = { case: 'session', value: await openSession(world, ada) } as const
        await decide(shown?.id ?? '', session)
        await isRefused(decide(shown?.id ?? '', session), 'device_authorization.finished')
        await isRefused(
          world.call(api.getDeviceAuthorizationRequest, { userCode }, login),
          'device_authorization.not_found',
        )
        const { status, body } = await poll(deviceCode)
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal((await poll(deviceCode)).body.error, 'invalid_grant')
      })

      test('is denied', async () => {
        const { deviceCode, shown } = await start()
        await decide(shown?.id ?? '', { case: 'deny', value: {} })
        await decide(shown?.id ?? '', { case: 'deny', value: {} })
        const session = { case: 'session', value: await openSession(world, ada) } as const
        await isRefused(decide(shown?.id ?? '', session), 'device_authorization.finished')
        assert.equal((await poll(deviceCode)).body.error, 'access_denied')
      })

      test('is approved only with a session that counts, by a login client', async () => {
        const { shown } = await start()
        const held = await openSession(world, ada)
        const { sessionToken } = await openSession(world, ada)
        const wrong = { case: 'session', value: { ...held, sessionToken } } as const
        await isRefused(decide(shown?.id ?? '', wrong), 'session.token_invalid')
        const right = { case: 'session', value: held } as const
        await isRefused(decide(shown?.id ?? '', right, world.owner), 'access.forbidden')
        await isRefused(decide('unknown', right), 'device_authorization.not_found')
        await isRefused(decide('unknown', { case: 'deny', value: {} }), 'device_authorization.not_found')
      })
    })
  })
}
