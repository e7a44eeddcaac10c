/** Health: tells gRPC load balancers whether this process accepts calls. */
import { module } from '../../module/module.ts'
import { healthRefusals } from './refusals.ts'
import { healthMethods, healthStreams } from './rpc.ts'

export const healthModule = module({
  name: 'health',
  refusals: healthRefusals,
  methods: healthMethods,
  streams: healthStreams,
})
