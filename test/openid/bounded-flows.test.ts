/** However an application gets its token, and however it shows it, the token reaches no further than the application. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ApiAccess } from '../../contract/gen/signet/application/v2/application_pb.ts'
import { ApplicationService } from '../../contract/gen/signet/application/v2/application_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { approveDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import { engines } from '../support/engines.ts'
import { API_SCOPE, openSession } from '../support/login-page.ts'
import { askToken, authorize, basic, codeForm, post, signInFor } from '../support/openid-flow.ts'
import { newDpopKey } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'

const SCOPE = `openid ${API_SCOPE}`
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

for (const engine of engines) {
  suite(`the ways of an application to our API on ${engine.name}`, () => {
    let world: OpenIdWorld
    let application: Application
    let other: Application
    let userId: string

    before(async () => {
      world = await openOpenIdWorld({ engine })
      application = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      other = await world.addApplication({ grantTypes: [0, 2, 3, 4] })
      userId = await world.addPerson('ada')
      await world.call(AdminService.method.addIAMMember, { userId, roles: ['IAM_OWNER'] }, world.owner)
      await world.call(ManagementService.method.addOrgMember, { userId, roles: ['ORG_OWNER'] }, world.owner)
    })

    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    const allow = (access: ApiAccess) => {
      const { id: applicationId, projectId } = application
      return world.call(
        ApplicationService.method.setApplicationApiAccess,
        { applicationId, projectId, access },
        world.owner,
      )
    }

    /** What a list of the instance and one of the organization answer. */
    const search = async (headers: Readonly<Record<string, string>>): Promise<readonly number[]> => {
      const statuses: number[] = []
      for (const what of ['admin/v1/members', 'management/v1/users']) {
        const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
        statuses.push((await fetch(`${world.url}/${what}/_search`, init)).status)
      }
      return statuses
    }
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

    /** The same token reaches as far as the application does at that moment. */
    const assertBounded = async (ask: () => Promise<readonly number[]>) => {
      await allow(ApiAccess.NONE)
      assert.deepEqual(await ask(), [403, 403])
      await allow(ApiAccess.PROJECT)
      assert.deepEqual(await ask(), [403, 403])
      await allow(ApiAccess.ORGANIZATION)
      assert.deepEqual(await ask(), [403, 200])
      await allow(ApiAccess.INSTANCE)
      assert.deepEqual(await ask(), [200, 200])
    }

    test('a device', async () => {
      const address = `${world.url}/oauth/v2/device_authorization`
      const { body: device } = await post(address, { scope: SCOPE }, basic(application))
      const found = await requireDeviceByUserCode(world.app, device.user_code, world.app.clock())
      const { sessionId } = await openSession(world, userId)
      await world.store.write(world.origin(), (work) => approveDevice(world.app, work, found.id, sessionId))
      const { body } = await askToken(world, application, { grant_type: DEVICE_CODE, device_code: device.device_code })
      await assertBounded(() => search(bearer(body.access_token)))
    })

    test('a pushed request, which belongs to its application and counts once', async () => {
      const { clientId } = application
      const query = {
        client_id: clientId,
        redirect_uri: 'https://app.example/callback',
        response_type: 'code',
        scope: SCOPE,
      }
      const push = () => post(`${world.url}/oauth/v2/par`, query, basic(application))
      const { body: pushed, status, text } = await push()
      assert.equal(status, 201, text)
      const foreign = new URLSearchParams({ client_id: other.clientId, request_uri: pushed.request_uri })
      const refused = await fetch(`${world.url}/oauth/v2/authorize?${foreign}`, { redirect: 'manual' })
      assert.doesNotMatch(refused.headers.get('location') ?? '', /code=/)
      const { request_uri } = (await push()).body
      const { values } = await authorize(world, application, { request_uri })
      const again = new URLSearchParams({ client_id: clientId, request_uri })
      const repeated = await fetch(`${world.url}/oauth/v2/authorize?${again}`, { redirect: 'manual' })
      assert.match(`${repeated.headers.get('location')} ${await repeated.text()}`, /invalid_request_uri/)
      const { body } = await askToken(world, application, codeForm(values))
      await assertBounded(() => search(bearer(body.access_token)))
    })

    test('a token that is bound to a key, which counts with a new proof of this key only', async () => {
      const key = newDpopKey()
      const { values } = await authorize(world, application, { scope: SCOPE })
      const dpop = await key.proof('POST', `${world.url}/oauth/v2/token`)
      const { body } = await askToken(world, application, codeForm(values), { ...basic(application), dpop })
      assert.equal(body.token_type, 'DPoP')
      const ath = createHash('sha256').update(body.access_token).digest('base64url')
      const me = `${world.url}/auth/v1/users/me`
      const ask = async (proof: string) =>
        (await fetch(me, { headers: { authorization: `DPoP ${body.access_token}`, dpop: proof } })).status
      const proof = await key.proof('GET', me, { ath })
      assert.equal(await ask(proof), 200)
      assert.equal(await ask(proof), 401)
      assert.equal(await ask(await newDpopKey().proof('GET', me, { ath })), 401)
      assert.equal(await ask(await key.proof('POST', me, { ath })), 401)
      assert.equal(await ask(await key.proof('GET', me)), 401)
      assert.equal((await fetch(me, { headers: bearer(body.access_token) })).status, 401)
      await assertBounded(async () => {
        const statuses: number[] = []
        for (const what of ['admin/v1/members', 'management/v1/users']) {
          const url = `${world.url}/${what}/_search`
          const shown = await key.proof('POST', url, { ath })
          const headers = {
            authorization: `DPoP ${body.access_token}`,
            dpop: shown,
            'content-type': 'application/json',
          }
          statuses.push((await fetch(url, { method: 'POST', headers, body: '{}' })).status)
        }
        return statuses
      })
    })

    test('an import', async () => {
      const { access_token: token } = await signInFor(world, application, { scope: SCOPE }, { name: 'ada' })
      const profile = { givenName: 'Grace', familyName: 'Hopper' }
      const send = async (name: string) => {
        const line = { username: name, profile, email: { email: `${name}@example.com`, isVerified: true } }
        const headers = { ...bearer(token), 'content-type': 'application/x-ndjson' }
        const answer = await fetch(`${world.url}/v2/users/import`, {
          method: 'POST',
          headers,
          body: JSON.stringify(line),
        })
        return [answer.status, await answer.text()] as const
      }
      await allow(ApiAccess.PROJECT)
      assert.equal((await send('grace'))[0], 403)
      await allow(ApiAccess.ORGANIZATION)
      const [status, text] = await send('grace')
      assert.equal(status, 200, text)
      assert.match(text, /created/)
    })
  })
}
