/** Which application asks: one that somebody prepared, or an unregistered client, for a resource or to sign users in. */
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import {
  type ActiveApplication,
  type AgentClient,
  activeApplicationOfClient,
  agentApplication,
  agentKindOf,
  knownAgent,
} from '../applications/index.ts'
import { resourceAt } from '../resources/index.ts'

/** The application of a request; with the client itself, if nobody prepared it. */
export interface ClientOfRequest extends ActiveApplication {
  readonly agent?: AgentClient
}

/**
 * The application of a client that asks for a resource or for none; undefined when it cannot be used for that. A client that
 * nobody prepared has no project of its own: it is used for a resource, or signs users in.
 */
export async function clientOfRequest(
  app: App,
  { clientId, resource }: { readonly clientId: string; readonly resource?: string | undefined },
  reader: Reader = app.store,
): Promise<ClientOfRequest | undefined> {
  if (agentKindOf(clientId) === undefined) return activeApplicationOfClient(app, clientId, reader)
  const [agent, found] = await Promise.all([
    knownAgent(app, clientId, reader),
    resource === undefined ? undefined : resourceAt(app, resource, reader),
  ])
  if (agent === undefined || (resource !== undefined && found === undefined)) return undefined
  const active = await agentApplication(app, agent, found?.project, reader)
  return active && { ...active, agent }
}
