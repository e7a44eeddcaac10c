/** A password that must be changed gives no code, whatever way the user goes; the changed one does. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { approveDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import { engines } from '../support/engines.ts'
import { createCallback, startRequest, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { authorizationUrl, basic, post } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { isRefused } from '../support/small-world.ts'

const OLD = 'another Passw0rd of theirs'
const NEW = 'a third Passw0rd of theirs'

for (const engine of engines) {
  suite(`a password that must be changed on ${engine.name}`, () => {
    let world: OpenIdWorld

    before(async () => {
      world = await openOpenIdWorld({ engine })
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const addPerson = async (name: string): Promise<string> => {
      const userId = await world.addPerson(name)
      const newPassword = { password: OLD, changeRequired: true }
      await world.call(UserService.method.setPassword, { userId, newPassword }, world.owner)
      return userId
    }

    const openSession = (userId: string, password: string) => {
      const checks = { user: { search: { case: 'userId', value: userId } }, password: { password } } as const
      return world.call(SessionService.method.createSession, { checks }, world.owner)
    }

    test('gives no code on the hosted pages before it is changed', async () => {
      await addPerson('grace')
      const application = await world.addApplication()
      const url = authorizationUrl(world, application)
      const browser = world.browser()
      const page = await browser.send(await browser.open(url), { userName: 'grace', password: OLD }, '/ui/login')
      assert.ok(page.url.startsWith(world.url), page.url)
      for (const prompt of [undefined, 'none']) {
        const stop = await browser.open(authorizationUrl(world, application, { prompt }))
        assert.equal(new URL(stop.url).searchParams.has('code'), false, stop.url)
      }
    })

    test('gives no code through a login page, and no approval of a device, until it is changed', async () => {
      const userId = await addPerson('edith')
      const login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      const application = await world.addApplication({ grantTypes: [0, 3], ...WITH_LOGIN_PAGE })
      const request = await startRequest(world, application)
      const device = await post(`${world.url}/oauth/v2/device_authorization`, { scope: 'openid' }, basic(application))
      const { id } = await requireDeviceByUserCode(world.app, device.body.user_code, world.app.clock())
      const approve = (sessionId: string) =>
        world.store.write(world.origin(), (work) => approveDevice(world.app, work, id, sessionId))
      const old = await openSession(userId, OLD)
      await isRefused(createCallback(world, login, request, old), 'authorization_request.sign_in_incomplete')
      await isRefused(approve(old.sessionId), 'authorization_request.sign_in_incomplete')
      await world.call(UserService.method.setPassword, { userId, newPassword: { password: NEW } }, world.owner)
      const renewed = await openSession(userId, NEW)
      const { href } = await createCallback(world, login, request, renewed)
      assert.ok(href.startsWith(REDIRECT_URI), href)
      await approve(renewed.sessionId)
    })
  })
}
