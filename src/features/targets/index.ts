/** Targets: the HTTP endpoints that actions call, with the keys that sign and encrypt what is sent to them. */
import { module } from '../../module/module.ts'
import { carriedTargets } from './carried.ts'
import { targetRefusals } from './refusals.ts'
import { targetMethods } from './rpc-v2.ts'
import { publicKeyMethods } from './rpc-v2-keys.ts'

export const targetsModule = module({
  name: 'targets',
  kinds: [carriedTargets],
  refusals: targetRefusals,
  methods: (app) => [...targetMethods(app), ...publicKeyMethods(app)],
})

export { callTarget, prepareCall } from './call-target.ts'
export type { TargetDraft } from './carried.ts'
export type { LivingTarget } from './decider.ts'
export { findTarget, targets } from './documents.ts'
export { TargetFailed } from './failure.ts'
export { gatesOf } from './gate.ts'
export { queueOf, TARGET_QUEUES } from './queue.ts'
export { targetRefusals } from './refusals.ts'
