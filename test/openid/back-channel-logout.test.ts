/** Applications are told when the session of a user ends, over real HTTP. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, suite, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { SessionService } from '../../contract/gen/signet/session/v2/session_service_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import type { JobRunner } from '../../src/store/index.ts'
import type { CallOptions } from '../support/calls.ts'
import { engines } from '../support/engines.ts'
import { type HeldSession, openSession, tokensOf, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const NOTICE = 'logout-notice'

interface Received {
  readonly path: string
  readonly contentType: string | undefined
  readonly token: string
}

for (const engine of engines) {
  suite(`back-channel logout on ${engine.name}`, () => {
    let world: OpenIdWorld
    let login: CallOptions
    let ada: string
    let receiver: Server
    let base: string
    let runner: JobRunner
    const received: Received[] = []
    /** The statuses of the next answers; then 200. */
    let statuses: number[] = []

    before(async () => {
      world = await openOpenIdWorld({ engine })
      login = (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request
      ada = await world.addPerson('ada')
      receiver = createServer(async (request, response) => {
        const chunks = await Array.fromAsync(request)
        const form = new URLSearchParams(Buffer.concat(chunks).toString())
        const contentType = request.headers['content-type']
        received.push({ path: request.url ?? '', contentType, token: form.get('logout_token') ?? '' })
        response.writeHead(statuses.shift() ?? 200).end()
      })
      await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
      base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
      runner = world.run()
    })

    beforeEach(() => {
      received.length = 0
      statuses = []
    })

    after(async () => {
      await runner.stop()
      receiver.close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const addListening = (path: string) =>
      world.addApplication({ ...WITH_LOGIN_PAGE, backChannelLogoutUri: `${base}${path}` })
    const signInto = async (...applications: Application[]): Promise<HeldSession> => {
      const session = await openSession(world, ada)
      for (const application of applications) await tokensOf(world, login, application, session)
      return session
    }
    const end = ({ sessionId }: HeldSession) =>
      world.call(SessionService.method.deleteSession, { sessionId }, world.owner)
    const settled = async () => {
      const left = async () => (await world.store.jobs.count(NOTICE)).waiting
      while ((await left()) > 0) await new Promise((done) => setTimeout(done, 10))
    }

    test('sends a signed logout token to the application', async () => {
      const application = await addListening('/logout')
      const session = await signInto(application)
      await end(session)
      await settled()
      assert.equal(received.length, 1)
      const [{ path, contentType, token }] = received as [Received]
      assert.equal(path, '/logout')
      assert.equal(contentType, 'application/x-www-form-urlencoded')
      const keys = createRemoteJWKSet(new URL(`${world.url}/oauth/v2/keys`))
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: world.url,
        audience: application.clientId,
        typ: 'logout+jwt',
      })
      assert.equal(protectedHeader.typ, 'logout+jwt')
      const { iat = 0, exp = 0, jti, ...claims } = payload
      assert.deepEqual(claims, {
        iss: world.url,
        sub: ada,
        aud: [application.clientId],
        sid: session.sessionId,
        events: { [EVENT]: {} },
      })
      assert.ok(jti)
      assert.equal(exp - iat, 901)
    })

    test('tells each application of the session once, and those of other sessions not', async () => {
      const [one, two, third] = [await addListening('/one'), await addListening('/two'), await addListening('/third')]
      const session = await signInto(one, two, one)
      await signInto(third)
      await end(session)
      await settled()
      assert.deepEqual(received.map(({ path }) => path).sort(), ['/one', '/two'])
    })

    test('sends nothing for applications without an address, and for those that were removed', async () => {
      const plain = await world.addApplication(WITH_LOGIN_PAGE)
      const removed = await addListening('/removed')
      const session = await signInto(plain, removed)
      const { id: applicationId, projectId } = removed
      await world.call(ApplicationService.method.deleteApplication, { applicationId, projectId }, world.owner)
      await end(session)
      assert.deepEqual(await world.store.jobs.count(NOTICE), { waiting: 0, parked: 0 })
      assert.deepEqual(received, [])
    })

    test('tries again after an error', async () => {
      const session = await signInto(await addListening('/shaky'))
      statuses = [503]
      await end(session)
      await settled()
      assert.equal(received.length, 2)
      const [first, second] = received.map(({ token }) => JSON.parse(atob(token.split('.')[1] ?? '')).jti)
      assert.equal(first, second, 'it is the same notice')
    })

    test('gives up when the application refuses the token', async () => {
      const session = await signInto(await addListening('/refusing'))
      statuses = [400]
      await end(session)
      await settled()
      assert.equal(received.length, 1)
      assert.equal((await world.store.jobs.count(NOTICE)).parked, 0)
    })

    test('tells applications when the user is removed', async () => {
      const application = await addListening('/gone')
      const userId = await world.addPerson('grace')
      const session = await openSession(world, userId)
      await tokensOf(world, login, application, session)
      await world.call(UserService.method.deleteUser, { userId }, world.owner)
      await settled()
      assert.deepEqual(
        received.map(({ path }) => path),
        ['/gone'],
      )
    })
  })
}
