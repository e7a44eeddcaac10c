/** The kinds of this module, and the function that finds the instance. */
import type { App } from '../../module/app.ts'
import { type Document, kind, type Reader, type Store, type Work } from '../../store/index.ts'
import { type ApiProject, type Instance, instance, keyRing, setupCode } from './decider.ts'
import { instanceEvents, keyRingEvents, setupCodeEvents } from './events.ts'
import { instanceRefusals } from './refusals.ts'

const INSTANCE_CLAIM = 'instance'
const ONLY = 'only'

/** There is one in each database. Its claim can be held only once, so a second node cannot create another one. */
export const instances = kind({
  name: 'instance',
  ids: 'own',
  waits: false,
  path: false,
  version: 2,
  events: instanceEvents,
  decider: instance,
  refusals: instanceRefusals,
  fields: {},
  claims: (state) =>
    state.status === 'running'
      ? [{ kind: INSTANCE_CLAIM, within: { instance: 'There is one.' }, value: ONLY, taken: 'instance.exists' }]
      : [],
})

/** The instance of this database; undefined before the first start is complete. */
export async function findInstance(store: Store): Promise<Document<Instance> | undefined> {
  const id = await store.findClaimHolder(INSTANCE_CLAIM, ONLY)
  return id === undefined ? undefined : store.get(instances, id)
}

/** The organization of new users if a request names none; empty before the first start is complete. */
export async function defaultOrganizationId(app: App): Promise<string> {
  const instance = await app.store.get(instances, app.instanceId)
  return instance?.state.status === 'running' ? instance.state.defaultOrganizationId : ''
}

async function apiOf(app: App, reader: Reader): Promise<ApiProject | undefined> {
  const instance = await reader.get(instances, app.instanceId)
  return instance?.state.status === 'running' ? instance.state.api : undefined
}

/** The project that stands for the API of this server; empty before the start has created it. */
export async function apiProjectId(app: App, reader: Reader = app.store): Promise<string> {
  return (await apiOf(app, reader))?.projectId ?? ''
}

/** The ID of the application with which the console signs users in; empty before the start has created it. */
export async function consoleApplicationId(app: App, reader: Reader = app.store): Promise<string> {
  return (await apiOf(app, reader))?.consoleApplicationId ?? ''
}

/** The client ID of that application. */
export async function consoleClientId(app: App, reader: Reader = app.store): Promise<string> {
  return (await apiOf(app, reader))?.consoleClientId ?? ''
}

/** The data keys, each encrypted with a master key. Only the vault reads it. */
export const keyRings = kind({
  name: 'key-ring',
  ids: { of: 'word' },
  waits: false,
  path: false,
  version: 1,
  events: keyRingEvents,
  decider: keyRing,
  refusals: instanceRefusals,
  fields: {},
})

/** The stream ID of the only key ring. */
export const KEY_RING_ID = 'data'

/** The ID of a setup code is the ID of its user. */
export const setupCodes = kind({
  name: 'setup-code',
  ids: { of: 'user' },
  waits: { endsWith: ['user'] },
  path: false,
  version: 3,
  events: setupCodeEvents,
  decider: setupCode,
  refusals: instanceRefusals,
  fields: {},
})

/** The name that the instance had in another product, as part of a write. */
export function importInstanceName({ instanceId }: App, work: Work, name: string): Promise<Document<Instance>> {
  return work.decide(instances, instanceId, { type: 'rename', name })
}

/** The default organization that another product had, which is here, as part of a write. */
export function importDefaultOrganization(
  { instanceId }: App,
  work: Work,
  organizationId: string,
): Promise<Document<Instance>> {
  return work.decide(instances, instanceId, { type: 'set_default_organization', organizationId })
}
