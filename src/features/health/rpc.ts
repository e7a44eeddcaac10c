/**
 * The health protocol of gRPC. All services stand on one store and stop together, so they are well or not as one; only
 * asking once is served: who wants to be kept informed asks again.
 */
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import { healthRefusals } from './refusals.ts'

export interface HealthNeeds {
  /** Whether calls are taken: the store answers, and the process is not about to stop. */
  isReady(): Promise<boolean>
  /** Whether a service of this full name is served, under our name or one that existing clients use. */
  isServed(service: string): boolean
}

/** The methods this room serves. */
export function healthMethods(needs: HealthNeeds): readonly Method[] {
  return methods(Health, {
    async check({ service }) {
      // The empty name is the server as a whole.
      if (service !== '' && !needs.isServed(service)) throw refused(healthRefusals, 'health.service_unknown')
      return { status: (await needs.isReady()) ? Status.SERVING : Status.NOT_SERVING }
    },
  })
}
