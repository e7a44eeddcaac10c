/** The front of this room: the log, for those who may read it. */
export type { AuditNeeds } from './needs.ts'
export { auditRefusals } from './refusals.ts'
export { auditMethods } from './rpc.ts'
