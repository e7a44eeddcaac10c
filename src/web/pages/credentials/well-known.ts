/** `/.well-known/change-password`: password managers lead people to the page that changes their password (W3C). */
import { seeOther } from '../../addresses.ts'
import { PATHS } from '../../browser.ts'
import type { PagePlan } from '../../site.ts'

export const CHANGE_PASSWORD = '/.well-known/change-password'

export function changePasswordRedirect(): PagePlan {
  return { get: () => seeOther(PATHS.password) }
}
