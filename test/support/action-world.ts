/** A world with a port, and a receiver that targets point to. */
import type { JsonObject } from '@bufbuild/protobuf'
import { type Client, createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'
import { ActionService } from '../../contract/gen/signet/action/v2/action_service_pb.ts'
import type { GuardedFetch } from '../../src/outbound/fetch.ts'
import type { TestEngine } from './engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from './openid-world.ts'
import { openingOn } from './opening.ts'
import { openReceiver, type Receiver } from './target-receiver.ts'

export interface RestAnswer {
  readonly status: number
  readonly body: JsonObject
}

export interface ActionWorld extends OpenIdWorld {
  readonly receiver: Receiver
  readonly token: string
  readonly actions: Client<typeof ActionService>
  readonly headers: { readonly headers: Readonly<Record<string, string>> }
  /** Adds a target at a path of the receiver; `type` is `restCall` by default, interrupting. */
  addTarget(endpoint: string, more?: JsonObject): Promise<string>
  setExecution(condition: JsonObject, targets: readonly string[]): Promise<RestAnswer>
  rest(verb: string, path: string, body?: JsonObject, token?: string): Promise<RestAnswer>
  connect(path: string, body: JsonObject, token?: string): Promise<RestAnswer>
}

export function openActionWorld(engine: TestEngine, fetchOutside?: GuardedFetch): Promise<ActionWorld> {
  return openingOn(openOpenIdWorld({ engine, ...(fetchOutside && { fetchOutside }) }), withReceiver)
}

async function withReceiver(world: OpenIdWorld): Promise<ActionWorld> {
  const receiver = await openReceiver()
  const token = world.owner.bearer ?? ''
  let count = 0

  const send = async (url: string, verb: string, body: JsonObject | undefined, bearer: string): Promise<RestAnswer> => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await fetch(url, { method: verb, headers, ...(body && { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as JsonObject }
  }
  const rest: ActionWorld['rest'] = (verb, path, body, bearer = token) => send(world.url + path, verb, body, bearer)

  return {
    ...world,
    receiver,
    token,
    actions: createClient(ActionService, createGrpcTransport({ baseUrl: world.url })),
    headers: { headers: { authorization: `Bearer ${token}` } },
    rest,
    connect: (path, body, bearer = token) => send(world.url + path, 'POST', body, bearer),
    async addTarget(endpoint, more = {}) {
      count += 1
      const type = Object.keys(more).some((name) => name.startsWith('rest'))
        ? {}
        : { restCall: { interruptOnError: true } }
      const made = await rest('POST', '/v2/actions/targets', {
        name: `t${count}`,
        endpoint,
        timeout: '5s',
        ...type,
        ...more,
      })
      if (made.status !== 200) throw new Error(JSON.stringify(made.body))
      return String(made.body.id)
    },
    setExecution: (condition, targets) => rest('PUT', '/v2/actions/executions', { condition, targets: [...targets] }),
    async dispose() {
      await receiver.close()
      await world.dispose()
    },
  }
}
