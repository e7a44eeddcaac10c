/** The InstanceService: the one instance of this server. */
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type CustomDomainFilter,
  type Filter,
  InstanceService,
  State,
} from '../../../contract/gen/signet/instance/v2/instance_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { pageOf } from '../../module/paging.ts'
import { importInstanceName, instances } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

/** Whether the domain of the instance matches a filter. It is the primary one, and was not generated. */
function matches(domain: string, { filter }: CustomDomainFilter): boolean {
  if (filter.case === 'primaryFilter') return filter.value
  if (filter.case === 'generatedFilter') return !filter.value
  if (filter.case === undefined) return false
  const sought = filter.value.domain.toLowerCase()
  const ways = [domain === sought, domain.startsWith(sought), domain.includes(sought), domain.endsWith(sought)]
  return ways[filter.value.method >> 1] === true
}

/** Whether the instance, with this ID and domain, matches a filter. */
function isAsked(instance: { readonly id: string; readonly domain: string }, { filter }: Filter): boolean {
  if (filter.case === 'inIdsFilter') return filter.value.ids.includes(instance.id)
  if (filter.case === 'customDomainsFilter') {
    return filter.value.domains.some((domain) => domain.toLowerCase() === instance.domain)
  }
  return false
}

/** The methods of the InstanceService. */
export function instanceMethodsV2(app: App): readonly Method[] {
  const { store, version, externalUrl } = app
  const requireInstance = async (asked: string) => {
    const document = await store.get(instances, app.instanceId)
    const isThis = asked === '' || asked === app.instanceId
    if (document?.state.status !== 'running' || !isThis) throw refused(instanceRefusals, 'instance.not_found')
    const creationDate = timestampFromMs(document.createdAt)
    const domain = { instanceId: app.instanceId, creationDate, domain: new URL(externalUrl).host, primary: true }
    const { name } = document.state
    const changeDate = timestampFromMs(document.changedAt)
    const shown = { id: document.id, changeDate, creationDate, state: State.RUNNING, name, version }
    return { domain, instance: { ...shown, customDomains: [domain] } }
  }
  return methods(InstanceService, {
    async getInstance({ instanceId }) {
      return { instance: (await requireInstance(instanceId)).instance }
    },
    async listInstances({ filters, pagination }) {
      const { instance, domain } = await requireInstance('')
      const { offset, limit } = pageOf(pagination, 'pagination')
      const isFound = filters.every((filter) => isAsked({ id: instance.id, domain: domain.domain }, filter))
      const found = isFound ? [instance] : []
      const counted = { totalResult: BigInt(found.length), appliedLimit: BigInt(limit) }
      return { instances: found.slice(offset, offset + limit), pagination: counted }
    },
    async updateInstance({ instanceId, instanceName }, { origin }) {
      await requireInstance(instanceId)
      const { value } = await store.write(origin, (work) => importInstanceName(app, work, instanceName))
      return { changeDate: timestampFromMs(value.changedAt) }
    },
    async listCustomDomains({ instanceId, pagination, filters }) {
      const { domain } = await requireInstance(instanceId)
      const { offset, limit } = pageOf(pagination, 'pagination')
      const found = filters.every((filter) => matches(domain.domain, filter)) ? [domain] : []
      const counted = { totalResult: BigInt(found.length), appliedLimit: BigInt(limit) }
      return { domains: found.slice(offset, offset + limit), pagination: counted }
    },
    async listTrustedDomains({ instanceId, pagination }) {
      await requireInstance(instanceId)
      return { pagination: { appliedLimit: BigInt(pageOf(pagination, 'pagination').limit) } }
    },
  })
}
