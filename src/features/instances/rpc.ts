/** The methods of the AdminService for the instance itself, and `Healthz` of all services that have it. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { type DomainSearchQuery, State } from '../../../contract/gen/signet/instance/v1/instance_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { SystemService } from '../../../contract/gen/signet/system/v1/system_service_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { detailsV1, listDetailsV1 } from '../../module/details.ts'
import { pageOf } from '../../module/paging.ts'
import { apiProjectId, defaultOrganizationId, instances } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

/** Whether the domain of the instance matches a query. It is the primary one, and was not generated. */
function matchesDomain(domain: string, { query }: DomainSearchQuery): boolean {
  if (query.case === 'primaryQuery') return query.value.primary
  if (query.case === 'generatedQuery') return !query.value.generated
  if (query.case === undefined) return false
  const sought = query.value.domain.toLowerCase()
  const ways = [domain === sought, domain.startsWith(sought), domain.includes(sought), domain.endsWith(sought)]
  return ways[query.value.method >> 1] === true
}

async function healthz() {
  return {}
}

/** The methods of this module. */
export function instanceMethods(app: App): readonly Method[] {
  const { store, instanceId, version, externalUrl } = app
  const runningInstance = async () => {
    const document = await store.get(instances, instanceId)
    if (document?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
    // The host of the public origin is the instance's domain.
    const domain = { details: detailsV1(document), domain: new URL(externalUrl).host, primary: true, generated: false }
    return { document, name: document.state.name, domain }
  }
  return [
    ...methods(AdminService, {
      healthz,
      async getMyInstance() {
        const { document, name, domain } = await runningInstance()
        const details = detailsV1(document)
        return { instance: { id: document.id, details, state: State.RUNNING, name, version, domains: [domain] } }
      },
      async listInstanceDomains({ queries, query, sortingColumn }, call) {
        const { document, domain } = await runningInstance()
        const { offset, limit } = pageOf(query, 'query')
        const found = queries.every((one) => matchesDomain(domain.domain, one)) ? [domain] : []
        const details = listDetailsV1({ total: found.length, sequence: document.sequence }, call.at)
        return { details, sortingColumn, result: found.slice(offset, offset + limit) }
      },
      async listInstanceTrustedDomains({ query, sortingColumn }, call) {
        const { document } = await runningInstance()
        pageOf(query, 'query')
        return { details: listDetailsV1({ total: 0, sequence: document.sequence }, call.at), sortingColumn }
      },
    }),
    ...methods(AuthService, { healthz }),
    ...methods(SystemService, { healthz }),
    ...methods(ManagementService, {
      healthz,
      async getOIDCInformation() {
        return { issuer: externalUrl, discoveryEndpoint: `${externalUrl}/.well-known/openid-configuration` }
      },
      async getIAM() {
        const [defaultOrgId, iamProjectId] = await Promise.all([defaultOrganizationId(app), apiProjectId(app)])
        return { globalOrgId: defaultOrgId, defaultOrgId, iamProjectId }
      },
    }),
  ]
}
