/** Targets of actions, their keys, and when they are called. */
import { generateKeyPairSync } from 'node:crypto'
import {
  type Api,
  type Attributes,
  base64,
  type Names,
  newName,
  oneOf,
  type Resource,
  type Resources,
} from './resource.ts'

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = base64(String(publicKey.export({ type: 'spki', format: 'pem' })))

async function aTarget(api: Api): Promise<Names> {
  const request = { name: newName('Target'), endpoint: 'https://hooks.example.com', timeout: '5s', restAsync: {} }
  return { id: (await api.action('CreateTarget', request)).id }
}

/** Two targets of which the first, or both in the other order, are called on a condition. */
function execution(condition: object): Resource {
  const write = (api: Api, { one, other }: Names, { count }: Attributes) =>
    api.action('SetExecution', { condition, targets: count === 1 ? [one] : [other, one] })
  return {
    first: { count: 1, isInOrder: true },
    second: { count: 2 },
    async create(api, attributes) {
      const names = { one: (await aTarget(api)).id, other: (await aTarget(api)).id }
      await write(api, names, attributes)
      return names
    },
    async read(api, names) {
      const filters = [{ inConditionsFilter: { conditions: [condition] } }]
      const { executions } = await api.action('ListExecutions', { filters })
      const found = executions?.[0]
      if (found === undefined) return undefined
      const targets = Object.values(found.targets ?? {})
      return { count: targets.length, isInOrder: targets.at(-1) === names.one }
    },
    update: write,
    delete: (api) => api.action('SetExecution', { condition, targets: [] }),
  }
}

const method = '/zitadel.session.v2.SessionService/ListSessions'

export const ACTIONS: Resources = {
  action_target: {
    first: {
      name: 'Hook',
      endpoint: 'https://hooks.example.com/a',
      timeout: '10s',
      restCall: { interruptOnError: true },
      payloadType: 'PAYLOAD_TYPE_JSON',
    },
    second: { name: 'Other hook', endpoint: 'https://hooks.example.com/b', payloadType: 'PAYLOAD_TYPE_JWT' },
    create: async (api, attributes) => ({ id: (await api.action('CreateTarget', attributes)).id }),
    read: async (api, names) => (await api.action('GetTarget', names)).target,
    update: (api, names, attributes) => api.action('UpdateTarget', { ...names, ...attributes }),
    delete: (api, names) => api.action('DeleteTarget', names),
  },
  action_target_public_key: {
    first: { active: false, publicKey: PEM, expirationDate: '2519-04-01T08:45:00Z' },
    second: { active: true },
    async create(api, { active: _, ...attributes }) {
      const { id: targetId } = await aTarget(api)
      return { targetId, keyId: (await api.action('AddPublicKey', { targetId, ...attributes })).keyId }
    },
    async read(api, { targetId, keyId }) {
      const filters = [{ keyIdsFilter: { ids: [keyId] } }]
      return oneOf((await api.action('ListPublicKeys', { targetId, filters })).publicKeys, { keyId })
    },
    update: (api, names) => api.action('ActivatePublicKey', names),
    async delete(api, names) {
      await api.action('DeactivatePublicKey', names)
      await api.action('RemovePublicKey', names)
    },
  },
  action_execution: execution({ request: { all: true } }),
  action_execution_request: execution({ request: { method } }),
  action_execution_response: execution({ response: { service: 'zitadel.session.v2.SessionService' } }),
  action_execution_event: execution({ event: { group: 'user.human' } }),
  action_execution_function: execution({ function: { name: 'preuserinfo' } }),
}
