/**
 * Web keys: the keys that sign tokens, which clients fetch to verify them. Private keys are stored encrypted. The keys
 * are rotated by a job.
 */
import { module } from '../../module/module.ts'
import { carriedWebKey, carriedWebKeys } from './carried.ts'
import { ensureWebKeys } from './handlers/add-key.ts'
import { webKeyJobs } from './jobs.ts'
import { webKeyRefusals } from './refusals.ts'
import { webKeyMethods } from './rpc-v2.ts'

export const webKeysModule = module({
  name: 'web-keys',
  kinds: [carriedWebKey, carriedWebKeys],
  refusals: webKeyRefusals,
  methods: webKeyMethods,
  jobs: webKeyJobs,
  async prepare(app) {
    await ensureWebKeys(app)
  },
})

export type { WebKeyDraft } from './carried.ts'
export { webKeys } from './documents.ts'
export { requestRotation } from './handlers/rotate-keys.ts'
export { publicKeys, signingKey, signJwt, verifyOwnJwt } from './sign.ts'
