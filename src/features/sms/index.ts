/** Text messages: their providers, and sending them after the commit that requested them. */
import { within } from '../../module/carried.ts'
import { module } from '../../module/module.ts'
import { smsProviders } from './documents.ts'
import { smsJobs, smsMetrics } from './jobs.ts'
import { SMS_JOB } from './queue.ts'
import { smsRefusals } from './refusals.ts'
import { smsMethods } from './rpc.ts'

export const smsModule = module({
  name: 'sms',
  kinds: within('settings', smsProviders),
  refusals: smsRefusals,
  methods: smsMethods,
  jobs: (app) => [smsJobs(app)],
  metrics: smsMetrics,
  sealedJobs: [{ kind: SMS_JOB, member: 'values' }],
})

export { hasSmsProvider, smsProviders } from './documents.ts'
export type { TwilioAccount } from './events.ts'
export { followSmsProvider, importSmsProvider } from './import-provider.ts'
export { enqueueSms, type SmsRequest } from './queue.ts'
export { type SmsType, smsTemplate } from './texts.ts'
