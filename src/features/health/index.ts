/** The health room: answers load balancers that ask over gRPC whether to send calls here. */
export { type HealthNeeds, healthMethods } from './rpc.ts'
