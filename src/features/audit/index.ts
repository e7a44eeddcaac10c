/**
 * Audit: the event log without its secrets, as lists and as a stream, for callers who may read the whole instance; and what
 * was changed about one object, for those who may read it.
 */
import { module } from '../../module/module.ts'
import { auditRefusals } from './refusals.ts'
import { auditMethods } from './rpc.ts'
import { changeMethods } from './rpc-v1-changes.ts'
import { auditMetrics, auditStreams } from './subscribe.ts'

export const auditModule = module({
  name: 'audit',
  refusals: auditRefusals,
  methods: (app) => [...auditMethods(app), ...changeMethods(app)],
  streams: auditStreams,
  metrics: auditMetrics,
})
