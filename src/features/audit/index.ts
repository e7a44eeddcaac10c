/** Audit: the event log without its secrets, for callers who may read the whole instance. */
import { module } from '../../module/module.ts'
import { auditRefusals } from './refusals.ts'
import { auditMethods } from './rpc.ts'

export const auditModule = module({ name: 'audit', refusals: auditRefusals, methods: auditMethods })
