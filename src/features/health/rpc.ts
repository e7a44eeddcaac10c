/**
 * The gRPC health protocol for load balancers. All services share one store and stop together, so they have one state.
 * Only `Check` is served; clients poll it to follow the state.
 */
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import type { App } from '../../access/app.ts'
import { type Method, methods } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import { healthRefusals } from './refusals.ts'

/** The methods of this module. */
export function healthMethods(app: Pick<App, 'isReady' | 'isServed'>): readonly Method[] {
  return methods(Health, {
    async check({ service }) {
      // The empty name is the server as a whole.
      if (service !== '' && !app.isServed(service)) throw refused(healthRefusals, 'health.service_unknown')
      return { status: (await app.isReady()) ? Status.SERVING : Status.NOT_SERVING }
    },
  })
}
