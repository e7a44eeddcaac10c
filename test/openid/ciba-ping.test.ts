/** Applications are told of a decision on the back channel (CIBA ping), at their own address and nowhere else. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { openGuardedFetch } from '../../src/outbound/fetch.ts'
import { openCanary } from '../support/canary.ts'
import {
  APPROVALS,
  ASKING,
  addApprovingPerson,
  askApproval,
  codeOf,
  openApproval,
  pollTokens,
  requestApproval,
} from '../support/ciba.ts'
import { bothEngines } from '../support/engines.ts'
import { assertError } from '../support/openid-flow.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

for (const engine of bothEngines) {
  suite(`notices of decisions on ${engine.name}`, () => {
    interface Received {
      readonly url: string | undefined
      readonly authorization: string | undefined
      readonly body: string
    }
    let world: OpenIdWorld
    let receiver: Server
    let base: string
    let answers: (readonly [number, Record<string, string>])[]
    const received: Received[] = []

    before(async () => {
      world = await openOpenIdWorld({ engine })
      answers = []
      receiver = createServer(async (request, response) => {
        const body = Buffer.concat(await Array.fromAsync(request)).toString()
        received.push({ url: request.url, authorization: request.headers.authorization, body })
        const [status, headers] = answers.shift() ?? [204, {}]
        response.writeHead(status, headers).end()
      })
      await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
      base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    })

    after(async () => {
      receiver.close()
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const settled = async () => {
      const runner = world.run()
      const left = async () => (await world.store.jobs.count('backchannel-ping')).waiting
      while ((await left()) > 0) await new Promise((done) => setTimeout(done, 10))
      await runner.stop()
    }
    const told = { client_notification_token: 'the-token' }

    test('the application is told of an approval and of a refusal, once, with its token', async () => {
      const application = await world.addApplication({ ...ASKING, cibaNotificationUri: `${base}/decided` })
      const bob = await addApprovingPerson(world)
      assertError(await askApproval(world, application, bob.name), 400, 'invalid_request')
      const approved = await requestApproval(world, application, bob.name, told)
      const page = await openApproval(world, bob.browser)
      await settled()
      assert.equal(received.length, 0)
      await bob.browser.send(page, { code: codeOf(world) }, APPROVALS)
      const refused = await requestApproval(world, application, bob.name, told)
      await bob.browser.send(await openApproval(world, bob.browser), { do: 'refuse' }, APPROVALS)
      // The first try fails, and is made again.
      answers = [[503, {}]]
      await settled()
      const authorization = 'Bearer the-token'
      const bodies = received.map(({ body }) => JSON.parse(body).auth_req_id as string)
      assert.deepEqual(new Set(bodies), new Set([approved.auth_req_id, refused.auth_req_id]))
      assert.equal(received.length, 3)
      for (const one of received) assert.deepEqual([one.url, one.authorization], ['/decided', authorization])
      assert.equal((await pollTokens(world, application, approved)).status, 200)
    })

    test('a redirect is not followed, and the token goes nowhere else', async () => {
      received.length = 0
      answers = [[307, { location: `${base}/elsewhere` }]]
      const application = await world.addApplication({ ...ASKING, cibaNotificationUri: `${base}/here` })
      const bob = await addApprovingPerson(world)
      await requestApproval(world, application, bob.name, told)
      await bob.browser.send(await openApproval(world, bob.browser), { do: 'refuse' }, APPROVALS)
      await settled()
      assert.deepEqual(
        received.map(({ url }) => url),
        ['/here'],
      )
    })

    test('an application that was changed meanwhile is told at its new address, one without any is not', async () => {
      received.length = 0
      const application = await world.addApplication({ ...ASKING, cibaNotificationUri: `${base}/old` })
      const bob = await addApprovingPerson(world)
      await requestApproval(world, application, bob.name, told)
      const { id: applicationId, projectId } = application
      const value = { ...ASKING, grantTypes: [...ASKING.grantTypes], cibaNotificationUri: '' }
      const applicationType = { case: 'oidcConfiguration', value } as const
      await world.call(
        ApplicationService.method.updateApplication,
        { applicationId, projectId, applicationType },
        world.owner,
      )
      await bob.browser.send(await openApproval(world, bob.browser), { do: 'refuse' }, APPROVALS)
      await settled()
      assert.equal(received.length, 0)
    })
  })

  suite(`notices to internal addresses on ${engine.name}`, () => {
    test('reach nobody', async () => {
      const canary = await openCanary()
      const lookups: string[] = []
      const resolve = async (name: string) => {
        lookups.push(name)
        return [{ address: '127.0.0.1', family: 4 as const }]
      }
      const fetchOutside = openGuardedFetch({ allowsPrivate: false, resolve: resolve as never })
      const world = await openOpenIdWorld({ engine, fetchOutside })
      const bob = await addApprovingPerson(world)
      const uris = [`https://rebound.example:${canary.port}/`, `http://127.0.0.1:${canary.port}/`]
      for (const cibaNotificationUri of uris) {
        const application = await world.addApplication({ ...ASKING, cibaNotificationUri })
        await requestApproval(world, application, bob.name, { client_notification_token: 'x' })
        await bob.browser.send(await openApproval(world, bob.browser), { do: 'refuse' }, APPROVALS)
      }
      const runner = world.run()
      const tried = async () =>
        (await world.store.jobs.list({ kind: 'backchannel-ping', parked: false, descending: false, limit: 10 })).every(
          ({ attempts }) => attempts > 0,
        )
      while (!(await tried())) await new Promise((done) => setTimeout(done, 10))
      await runner.stop()
      assert.equal(canary.connections(), 0)
      canary.close()
      await world.dispose()
    })
  })
}
