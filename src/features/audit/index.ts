/** Audit: the event log without its secrets, as lists and as a stream, for callers who may read the whole instance. */
import { module } from '../../module/module.ts'
import { auditRefusals } from './refusals.ts'
import { auditMethods } from './rpc.ts'
import { auditMetrics, auditStreams } from './subscribe.ts'

export const auditModule = module({
  name: 'audit',
  refusals: auditRefusals,
  methods: auditMethods,
  streams: auditStreams,
  metrics: auditMetrics,
})
