/** The methods of the AdminService for the instance itself, and `Healthz` of the v1 services. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { State } from '../../../contract/gen/signet/instance/v1/instance_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import type { App } from '../../access/app.ts'
import { detailsV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import { instances } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

async function healthz() {
  return {}
}

/** The methods of this module. */
export function instanceMethods({ store, instanceId, version, externalUrl }: App): readonly Method[] {
  return [
    ...methods(AdminService, {
      healthz,
      async getMyInstance() {
        const document = await store.get(instances, instanceId)
        if (document?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
        const details = detailsV1(document)
        // The host of the public origin is the instance's domain.
        const domains = [{ details, domain: new URL(externalUrl).host, primary: true, generated: false }]
        const { name } = document.state
        return { instance: { id: document.id, details, state: State.RUNNING, name, version, domains } }
      },
    }),
    ...methods(AuthService, { healthz }),
    ...methods(ManagementService, { healthz }),
  ]
}
