/** Tells users by mail that wrong attempts have locked their sign-in: one mail for each lock. */

import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import type { Document } from '../../store/index.ts'
import { type HumanUser, users } from '../users/index.ts'
import { LOCK_NOTICE_JOB, type LockNotice } from '../verifications/index.ts'
import { mailNotice } from './send-mail.ts'

async function notify(app: App, { userId }: LockNotice): Promise<void> {
  await app.store.write({ actor: 'server', at: app.clock() }, async (work) => {
    const user = await work.get(users, userId)
    if (user === undefined || !('email' in user.state)) return
    await mailNotice(app, work, 'sign_in_locked', user as Document<HumanUser>)
  })
}

/** The jobs of these notices. A wrong attempt and its job are one commit, so no lock goes unnoticed. */
export function lockNoticeJobs(app: App): JobGroup {
  return { handlers: { [LOCK_NOTICE_JOB]: (job) => notify(app, job.data as LockNotice) } }
}
