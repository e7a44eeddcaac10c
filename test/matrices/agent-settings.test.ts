/**
 * Clients that nobody prepared need the instance and the project: kind of client × what the instance allows × what the
 * project allows × what they do. And the user or the organization: who allowed it × who withdraws it × what they do. What is
 * withdrawn ends at once, and only that.
 */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { AgentAccessService } from '../../contract/gen/signet/application/v2/agent_access_service_pb.ts'
import { consentId, consents } from '../../src/features/grants/documents.ts'
import { applicationsWithAccess, takeAccessBack } from '../../src/features/grants/index.ts'
import { allowAt, allowHere, CALLBACK, CLIENT, metadataOf, openRequest, openWeb, tokensFor } from '../support/agents.ts'
import { ask, introspect, post } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { MCP, resource, setResources } from '../support/resources.ts'

const REQUEST = { resource: MCP, scope: 'offline_access tools:read' }

const HERE = {
  nothing: {},
  documents: { clientIdMetadataDocuments: { enabled: true } },
  'documents of another domain': { clientIdMetadataDocuments: { enabled: true, allowedDomains: ['other.example'] } },
  'documents of the domain': {
    clientIdMetadataDocuments: { enabled: true, allowedDomains: ['sub.agent.example', 'agent.example'] },
  },
  registration: { dynamicClientRegistration: { enabled: true, allowUnauthenticated: true } },
  both: {
    clientIdMetadataDocuments: { enabled: true },
    dynamicClientRegistration: { enabled: true, allowUnauthenticated: true },
  },
} as const

const AT = {
  nothing: {},
  documents: { clientIdMetadataDocuments: true },
  registration: { dynamicRegistration: true },
  both: { clientIdMetadataDocuments: true, dynamicRegistration: true },
} as const

type Kind = 'document' | 'registration'

/** Which settings of the instance let a kind of client in. */
const LETS_IN: Readonly<Record<Kind, readonly (keyof typeof HERE)[]>> = {
  document: ['documents', 'documents of the domain', 'both'],
  registration: ['registration', 'both'],
}

function isAllowed(kind: Kind, here: keyof typeof HERE, at: keyof typeof AT): boolean {
  const wanted = kind === 'document' ? 'documents' : 'registration'
  return LETS_IN[kind].includes(here) && (at === wanted || at === 'both')
}

type Party = 'the user' | 'the organization'

/** Who allowed a client something, and who withdraws it. */
const WITHDRAWALS: readonly (readonly [allowedBy: readonly Party[], withdrawn: readonly Party[]])[] = [
  [['the user'], []],
  [['the user'], ['the user']],
  [['the organization'], []],
  [['the organization'], ['the organization']],
  [['the user', 'the organization'], ['the user']],
  [['the user', 'the organization'], ['the organization']],
  [
    ['the user', 'the organization'],
    ['the user', 'the organization'],
  ],
]

const CELLS = (Object.keys(HERE).length * Object.keys(AT).length * 4 + WITHDRAWALS.length * 3) * 2

suite(`agents: ${CELLS} cells`, () => {
  const web = openWeb()
  let world: OpenIdWorld
  let projectId: string
  let api: Application
  let userId: string
  const clients: Record<Kind, string> = { document: CLIENT, registration: '' }

  before(async () => {
    world = await openOpenIdWorld({ fetchOutside: web.fetchOutside })
    web.publish(CLIENT, metadataOf(CLIENT))
    userId = await world.addPerson('ada')
    projectId = await world.addProject()
    api = await world.addApi(projectId)
    await setResources(world, projectId, resource(MCP))
    await allowHere(world, HERE.both)
    const body = JSON.stringify({ redirect_uris: [CALLBACK], grant_types: ['authorization_code', 'refresh_token'] })
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(`${world.url}/oauth/v2/register`, { method: 'POST', headers, body })
    clients.registration = answer.body.client_id
  })

  after(async () => {
    await world.dispose()
    assert.deepEqual(world.faults, [])
  })

  for (const kind of ['document', 'registration'] as const) {
    for (const here of Object.keys(HERE) as (keyof typeof HERE)[]) {
      for (const at of Object.keys(AT) as (keyof typeof AT)[]) {
        test(`${kind}: the instance allows ${here}, the project ${at}`, async () => {
          const client_id = clients[kind]
          await allowHere(world, HERE.both)
          await allowAt(world, projectId, AT.both)
          const tokens = await tokensFor(world, client_id, REQUEST)
          const waiting = await openRequest(world, client_id, { ...REQUEST, prompt: 'consent' })
          await allowHere(world, HERE[here])
          await allowAt(world, projectId, AT[at])
          const { page } = await openRequest(world, client_id, REQUEST, { browser: tokens.browser })
          const answered = await waiting.browser.send(waiting.page, { do: 'allow' }, '/ui/consent')
          const hasCode = (url: string) => url.startsWith(CALLBACK) && new URL(url).searchParams.has('code')
          const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id }
          const outcomes = {
            introspection: (await introspect(world, api, tokens.access_token)).body.active === true,
            'a new code': hasCode(page.url),
            'consent that was waiting': hasCode(answered.url),
            refresh: (await post(`${world.url}/oauth/v2/token`, form)).status === 200,
          }
          const expected = isAllowed(kind, here, at)
          const wrong = Object.entries(outcomes).filter(([, outcome]) => outcome !== expected)
          assert.deepEqual(wrong, [])
        })
      }
    }
  }

  for (const kind of ['document', 'registration'] as const) {
    for (const [allowedBy, withdrawn] of WITHDRAWALS) {
      test(`${kind}: ${allowedBy.join(' and ')} allowed it, ${withdrawn.join(' and ') || 'nobody'} withdraws it`, async () => {
        const client_id = clients[kind]
        const organizationId = world.defaultOrganizationId
        await allowHere(world, HERE.both)
        await allowAt(world, projectId, AT.both)
        await tokensFor(world, client_id, REQUEST)
        const access = await applicationsWithAccess(world.app, userId)
        const applicationId = access.find(({ clientId }) => clientId === client_id)?.applicationId ?? assert.fail()
        const approval = { organizationId, applicationId, resource: MCP }
        const scopes = ['offline_access', 'tools:read']
        await takeAccessBack(world.app, world.origin(), userId, applicationId)
        if (allowedBy.includes('the organization')) {
          await world.call(AgentAccessService.method.approveAgent, { ...approval, scopes }, world.owner)
        }
        if (allowedBy.includes('the user')) {
          await tokensFor(world, client_id, { ...REQUEST, prompt: 'consent' })
        }
        const tokens = await tokensFor(world, client_id, REQUEST)
        if (withdrawn.includes('the organization')) {
          await world.call(AgentAccessService.method.withdrawAgentApproval, approval, world.owner)
        }
        if (withdrawn.includes('the user')) {
          await world.store.write(world.origin(), (work) =>
            work.decide(consents, consentId(userId, client_id, MCP), { type: 'withdraw' }),
          )
        }
        const { page } = await openRequest(world, client_id, REQUEST, { browser: tokens.browser })
        const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id }
        const outcomes = {
          introspection: (await introspect(world, api, tokens.access_token)).body.active === true,
          'a new code': page.url.startsWith(CALLBACK) && new URL(page.url).searchParams.has('code'),
          refresh: (await post(`${world.url}/oauth/v2/token`, form)).status === 200,
        }
        const expected = allowedBy.some((one) => !withdrawn.includes(one))
        assert.deepEqual(
          Object.entries(outcomes).filter(([, outcome]) => outcome !== expected),
          [],
        )
        await world.call(AgentAccessService.method.withdrawAgentApproval, approval, world.owner)
      })
    }
  }
})
