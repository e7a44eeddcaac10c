/**
 * Sign-ins: who signed in where and how, what failed and why, and how many there were. What happens is told by the modules
 * that it happens in (`whenSessionChecked` …), in their own commits; this module only keeps the record.
 */
import { STAYS, stays } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { addresses, refusedRequests, signInRetentions, signInRetirements, signIns, tallies } from './documents.ts'
import { flush } from './handlers/count-failures.ts'
import { recordApplication, recordChecks, recordPasswordChange } from './handlers/record-checks.ts'
import { recordFailure } from './handlers/record-failure.ts'
import { signInRefusals } from './refusals.ts'
import { signInMethods } from './rpc.ts'

export const signInsModule = module({
  name: 'sign-ins',
  kinds: stays(STAYS.statistics, signIns, tallies, refusedRequests, addresses, ...signInRetirements),
  refusals: signInRefusals,
  methods: signInMethods,
  retention: ({ config }) => signInRetentions(config.addressRetentionMs),
  whenSessionChecked: recordChecks,
  whenSignInRefused: recordFailure,
  whenApplicationJoined: recordApplication,
  whenPasswordChanged: recordPasswordChange,
  close: (app) => flush(app, true),
})

export { signInsByHour } from './counts.ts'
export { reportClient } from './handlers/report-client.ts'
