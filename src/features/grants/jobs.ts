/** The jobs of this module: notices of logouts. */
import type { App } from '../../module/app.ts'
import type { JobGroup } from '../../module/module.ts'
import { LOGOUT_NOTICE_JOB, noticePause, sendLogoutNotice } from './handlers/notify-logout.ts'

/** They have a loop of their own: an application that answers slowly delays nothing else. */
export function grantJobs(app: App): JobGroup {
  return {
    handlers: { [LOGOUT_NOTICE_JOB]: (job) => sendLogoutNotice(app, job) },
    options: { concurrency: 8, pauseAfter: noticePause },
  }
}
