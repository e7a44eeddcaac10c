/** An API, an app that users sign in to for it, and agents that act for these users. */
import assert from 'node:assert/strict'
import { allow, allowAt, openRequest } from './agents.ts'
import type { TestEngine } from './engines.ts'
import { type Answer, askToken, basic, introspect, type Parameters, post, signInFor } from './openid-flow.ts'
import { addMachineClient, type MachineClient } from './openid-keys.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld, REDIRECT_URI } from './openid-world.ts'
import { openingOn } from './opening.ts'
import { FILES, MCP, resource, setResources } from './resources.ts'

export const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const TYPE = 'urn:ietf:params:oauth:token-type:'
/** All scopes of the API. */
export const BOTH = 'tools:read tools:write'

/** An agent: an application with a machine that acts. */
export interface Agent extends Application {
  readonly machine: MachineClient
}

export type DelegationScene = Awaited<ReturnType<typeof openDelegationScene>>

/** The token of an answer that must have one. */
export function tokenOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.text)
  return answer.body.access_token
}

/** Opens a world with an API that allows agents on behalf of users, the user ada, and an agent that she allowed everything. */
export function openDelegationScene(engine: TestEngine) {
  return openingOn(openOpenIdWorld({ engine }), withAgent)
}

async function withAgent(world: OpenIdWorld) {
  await world.addPerson('ada')
  const projectId = await world.addProject()
  await setResources(world, projectId, resource(MCP), resource(FILES))
  await allowAt(world, projectId, { onBehalfOf: true })
  const front = await world.addApplication({ grantTypes: [0, 2, 4] }, projectId)
  const api = await world.addApi(projectId)

  const addAgent = async (config = {}): Promise<Agent> => {
    const application = await world.addApplication({ grantTypes: [0, 2, 4], ...config })
    return { ...application, machine: await addMachineClient(world) }
  }
  const agent = await addAgent()

  /** A user allows an application what it asks for. */
  const consentTo = async ({ clientId }: Application, scope = BOTH, name = 'ada', uri = MCP) => {
    const asked = { redirect_uri: REDIRECT_URI, prompt: 'consent', resource: uri, scope }
    const { browser, page } = await openRequest(world, clientId, asked, { name })
    await allow(browser, page)
  }
  await consentTo(agent)

  /** The token that a machine gets by itself. */
  const ownToken = async (machine: MachineClient, project: string): Promise<string> => {
    const scope = `openid urn:zitadel:iam:org:project:id:${project}:aud`
    const form = { grant_type: 'client_credentials', scope }
    return (await post(`${world.url}/oauth/v2/token`, form, basic(machine))).body.access_token
  }
  const actorOf = ({ machine, projectId: project }: Agent) => ownToken(machine, project)

  /** The token of a user for the API. */
  const userToken = async (name = 'ada', scope = BOTH, uri = MCP): Promise<string> =>
    (await signInFor(world, front, { scope: `openid ${scope}`, resource: uri }, { name })).access_token

  const delegate = async (subject: string, by: Agent = agent, more: Parameters = {}): Promise<Answer> =>
    askToken(world, by, {
      grant_type: EXCHANGE,
      subject_token: subject,
      subject_token_type: `${TYPE}access_token`,
      actor_token: more.actor_token ?? (await actorOf(by)),
      actor_token_type: `${TYPE}access_token`,
      ...more,
    })
  const delegated = async (subject: string, by?: Agent, more?: Parameters) => tokenOf(await delegate(subject, by, more))
  const isActive = async (token: string): Promise<boolean> => (await introspect(world, api, token)).body.active
  const scene = { world, projectId, front, api, agent, addAgent, consentTo, ownToken, actorOf, userToken }
  return { ...scene, delegate, delegated, isActive }
}
