/** Health: tells load balancers over gRPC whether this process takes calls. */
import { module } from '../../access/module.ts'
import { healthMethods, healthRefusals } from './rpc.ts'

export const healthModule = module({ name: 'health', refusals: healthRefusals, methods: healthMethods })
