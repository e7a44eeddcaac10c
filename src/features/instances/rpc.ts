/** The part of the AdminService that is about the instance itself, and the "are you there" of the v1 services. */
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { AuthService } from '../../../contract/gen/signet/auth/v1/auth_pb.ts'
import { State } from '../../../contract/gen/signet/instance/v1/instance_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { detailsV1 } from '../../access/details.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { Store } from '../../store/index.ts'
import { instances } from './documents.ts'
import { instanceRefusals } from './refusals.ts'

export interface InstancesNeeds {
  readonly store: Store
  readonly instanceId: string
  /** Version of the server. */
  readonly version: string
  /** Public origin: its host is the instance's domain. */
  readonly externalUrl: string
}

async function healthz() {
  return {}
}

/** The methods this room serves. */
export function instanceMethods({ store, instanceId, version, externalUrl }: InstancesNeeds): readonly Method[] {
  return [
    ...methods(AdminService, {
      healthz,
      async getMyInstance() {
        const document = await store.get(instances, instanceId)
        if (document?.state.status !== 'running') throw refused(instanceRefusals, 'instance.not_found')
        const details = detailsV1(document)
        const domains = [{ details, domain: new URL(externalUrl).host, primary: true, generated: false }]
        const { name } = document.state
        return { instance: { id: document.id, details, state: State.RUNNING, name, version, domains } }
      },
    }),
    ...methods(AuthService, { healthz }),
    ...methods(ManagementService, { healthz }),
  ]
}
