/**
 * A token for a resource counts at that resource and nowhere else, whatever way it was got: way × place. And each way takes
 * the resource that was asked for, and refuses one that there is not.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AuthService } from '../../contract/gen/signet/auth/v1/auth_pb.ts'
import { OrganizationService } from '../../contract/gen/signet/org/v2/org_service_pb.ts'
import { approveDevice, requireDeviceByUserCode } from '../../src/features/authorization-requests/index.ts'
import type { CallOptions } from '../support/calls.ts'
import { API_SCOPE, createCallback, openSession, redeem, startRequest, WITH_LOGIN_PAGE } from '../support/login-page.ts'
import {
  type Answer,
  askToken,
  authorizationUrl,
  authorize,
  basic,
  codeForm,
  introspect,
  type Parameters,
  post,
  refresh,
  userinfo,
} from '../support/openid-flow.ts'
import { addMachineClient, type MachineClient } from '../support/openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from '../support/openid-world.ts'
import { FILES, MCP, readToken, resource, setResources } from '../support/resources.ts'
import { outcomeOf } from './scene.ts'

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const ACCESS = 'urn:ietf:params:oauth:token-type:access_token'
const SCOPE = `openid profile offline_access tools:read ${API_SCOPE}`
const GRANT_TYPES = { grantTypes: [0, 2, 3, 4] }

interface Stage {
  readonly world: OpenIdWorld
  readonly application: Application
  readonly withLoginPage: Application
  readonly loginPage: CallOptions
  readonly machine: MachineClient
  readonly userId: string
  /** Of the project of the resource. */
  readonly api: Application
  /** Of another project of the organization, which has a resource, too. */
  readonly neighbour: Application
  /** Of another organization. */
  readonly stranger: Application
}

/** What became of a request: the token, or the error. */
type Got = { readonly token: string } | { readonly error: string }

function got({ status, body, text }: Answer): Got {
  assert.ok(status < 500, text)
  return status === 200 ? { token: body.access_token } : { error: body.error }
}

async function byCode({ world, application }: Stage, uri: string): Promise<Answer | Got> {
  const { values } = await authorize(world, application, { scope: SCOPE, resource: uri })
  const error = values.get('error')
  return error === null ? askToken(world, application, codeForm(values, { resource: uri })) : { error }
}

async function tokensByCode(stage: Stage, uri: string) {
  const answer = (await byCode(stage, uri)) as Answer
  return 'body' in answer ? answer.body : assert.fail('no token')
}

/** Every way to get a token for a resource. */
const WAYS: Readonly<Record<string, (stage: Stage, uri: string) => Promise<Got>>> = {
  async 'authorization code'(stage, uri) {
    const answer = await byCode(stage, uri)
    return 'body' in answer ? got(answer) : answer
  },
  async 'refresh token'(stage, uri) {
    const { refresh_token: token } = await tokensByCode(stage, MCP)
    return got(await refresh(stage.world, stage.application, token, { resource: uri }))
  },
  async 'pushed request'({ world, application }, uri) {
    const { clientId: client_id } = application
    const request = { client_id, redirect_uri: REDIRECT_URI, response_type: 'code', scope: SCOPE, resource: uri }
    const pushed = await post(`${world.url}/oauth/v2/par`, request, basic(application))
    if (pushed.status !== 201) return { error: pushed.body.error }
    const more = { request_uri: pushed.body.request_uri, scope: undefined, redirect_uri: undefined, state: undefined }
    const url = authorizationUrl(world, application, { ...more, response_type: undefined })
    const browser = world.browser()
    const stop = await world.signIn(browser, await browser.open(url), 'ada')
    return got(await askToken(world, application, codeForm(new URL(stop.url).searchParams)))
  },
  async 'login page of one’s own'({ world, withLoginPage, loginPage, userId }, uri) {
    const session = await openSession(world, userId)
    let request: string
    try {
      request = await startRequest(world, withLoginPage, { scope: SCOPE, resource: uri })
    } catch {
      return { error: 'invalid_target' }
    }
    const url = await createCallback(world, loginPage, request, session)
    const code = url.searchParams.get('code') ?? ''
    const { body } = await redeem(world.url, withLoginPage, code)
    return { token: String(body.access_token) }
  },
  async device({ world, application, userId }, uri) {
    const address = `${world.url}/oauth/v2/device_authorization`
    const started = await post(address, { scope: SCOPE, resource: uri }, basic(application))
    if (started.status !== 200) return { error: started.body.error }
    const device = await requireDeviceByUserCode(world.app, started.body.user_code, world.app.clock())
    const { sessionId } = await openSession(world, userId)
    await world.store.write(world.origin(), (work) => approveDevice(world.app, work, device.id, sessionId))
    return got(await askToken(world, application, { grant_type: DEVICE_CODE, device_code: started.body.device_code }))
  },
  async exchange(stage, uri) {
    const { access_token: token } = await tokensByCode(stage, MCP)
    const form = { grant_type: EXCHANGE, subject_token: token, subject_token_type: ACCESS, resource: uri }
    return got(await askToken(stage.world, stage.application, form))
  },
  async 'exchange of a token for the project'({ world, application }, uri) {
    const { values } = await authorize(world, application)
    const { body } = await askToken(world, application, codeForm(values))
    const form = { grant_type: EXCHANGE, subject_token: body.access_token, subject_token_type: ACCESS, resource: uri }
    return got(await askToken(world, application, form))
  },
  async 'client credentials'({ world, machine }, uri) {
    const form = { grant_type: 'client_credentials', scope: SCOPE, resource: uri }
    return got(await post(`${world.url}/oauth/v2/token`, form, basic(machine)))
  },
}

function heard({ status, body, text }: Answer): string {
  assert.ok(status < 500, text)
  if (body.active === false) return 'inactive'
  return status === 200 ? 'passes' : String(body.error)
}

function exchangedBy(client: 'neighbour' | 'stranger', as: 'subject' | 'actor') {
  return async (stage: Stage, token: string) => {
    const shown = { [`${as}_token`]: token, [`${as}_token_type`]: ACCESS }
    const user = { subject_token: stage.userId, subject_token_type: 'urn:zitadel:params:oauth:token-type:user_id' }
    const form: Parameters = { grant_type: EXCHANGE, ...(as === 'actor' && user), ...shown }
    return heard(await askToken(stage.world, stage[client], form))
  }
}

/** Every place where a token could count. */
const PLACES: Readonly<Record<string, (stage: Stage, token: string) => Promise<string>>> = {
  'introspection by its API': async ({ world, api }, token) => heard(await introspect(world, api, token)),
  'introspection by another project': async ({ world, neighbour }, token) =>
    heard(await introspect(world, neighbour, token)),
  'introspection by another organization': async ({ world, stranger }, token) =>
    heard(await introspect(world, stranger, token)),
  userinfo: async ({ world }, token) => heard(await userinfo(world, token)),
  'our own API': ({ world }, token) => outcomeOf(world.call(AuthService.method.getMyUser, {}, { bearer: token })),
  'exchange by another project': exchangedBy('neighbour', 'subject'),
  'exchange by another organization': exchangedBy('stranger', 'subject'),
  'actor at another project': exchangedBy('neighbour', 'actor'),
}

const COUNTS_AT: ReadonlySet<string> = new Set(['introspection by its API'])

suite(`resources: ${Object.keys(WAYS).length * (Object.keys(PLACES).length + 2)} cells`, () => {
  let stage: Stage

  before(async () => {
    const world = await openOpenIdWorld()
    const userId = await world.addPerson('ada')
    const application = await world.addApplication(GRANT_TYPES)
    const { projectId } = application
    const neighbour = await world.addApplication(GRANT_TYPES)
    const name = 'Elsewhere'
    const { organizationId } = await world.call(OrganizationService.method.addOrganization, { name }, world.owner)
    await setResources(world, projectId, resource(MCP))
    await setResources(world, neighbour.projectId, resource(FILES))
    stage = {
      world,
      userId,
      application,
      neighbour,
      api: await world.addApi(projectId),
      withLoginPage: await world.addApplication({ ...GRANT_TYPES, ...WITH_LOGIN_PAGE }, projectId),
      loginPage: (await world.addMachine({ instanceRoles: ['IAM_LOGIN_CLIENT'] })).request,
      machine: await addMachineClient(world),
      stranger: await world.addApplication(GRANT_TYPES, await world.addProject({ organizationId })),
    }
  })

  after(async () => {
    await stage.world.dispose()
    assert.deepEqual(stage.world.faults, [])
  })

  for (const [name, way] of Object.entries(WAYS)) {
    test(`${name}: the token is for the resource, and counts nowhere else`, async () => {
      const made = await way(stage, MCP)
      assert.ok('token' in made, JSON.stringify(made))
      assert.equal(readToken(made.token).aud, MCP)
      const wrong: Record<string, string> = {}
      for (const [place, use] of Object.entries(PLACES)) {
        const outcome = await use(stage, made.token)
        if ((outcome === 'passes') !== COUNTS_AT.has(place)) wrong[place] = outcome
      }
      assert.deepEqual(wrong, {})
    })

    test(`${name}: a resource that there is not is an invalid target`, async () => {
      assert.deepEqual(await way(stage, 'https://unknown.example/mcp'), { error: 'invalid_target' })
    })
  }
})
