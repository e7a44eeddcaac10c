/**
 * The health protocol of gRPC, for load balancers. All services share one store and stop together, so they have one
 * state.
 */
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as Status,
} from '../../../contract/gen/grpc/health/v1/health_pb.ts'
import { services } from '../../../contract/gen/services.ts'
import { type Method, methods, type StreamMethod } from '../../access/method.ts'
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import { healthRefusals } from './refusals.ts'
import { watchStatus } from './watch-status.ts'

type HealthApp = Pick<App, 'isReady' | 'isServed'>

function statusOf(isReady: boolean): Status {
  return isReady ? Status.SERVING : Status.NOT_SERVING
}

/** The methods of this module. */
export function healthMethods(app: HealthApp): readonly Method[] {
  return methods(Health, {
    async check({ service }) {
      // The empty name is the server as a whole.
      if (service !== '' && !app.isServed(service)) throw refused(healthRefusals, 'health.service_unknown')
      return { status: statusOf(await app.isReady()) }
    },
    async list() {
      const status = statusOf(await app.isReady())
      const names = ['', ...services.map(({ typeName }) => typeName)]
      return { statuses: Object.fromEntries(names.map((name) => [name, { status }])) }
    },
  })
}

/** The streams of this module. */
export function healthStreams(app: HealthApp): readonly StreamMethod[] {
  const follow = watchStatus(() => app.isReady())
  async function* serve(requests: AsyncIterable<unknown>, signal: AbortSignal) {
    for await (const { service } of requests as AsyncIterable<HealthCheckRequest>) {
      const isKnown = service === '' || app.isServed(service)
      // The protocol has unknown services answered and the stream kept open: they may be served later, though not here.
      for await (const isReady of follow(signal))
        yield [{ status: isKnown ? statusOf(isReady) : Status.SERVICE_UNKNOWN }]
      return
    }
  }
  return [{ descriptor: Health.method.watch, serve }]
}
