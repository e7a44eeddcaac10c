/** Who and when is recorded on what the OpenID endpoints write. */

import type { Id } from '../kernel/id.ts'
import type { App } from '../module/app.ts'
import type { Origin } from '../store/index.ts'

/** A write by this user now; by an anonymous caller if there is none. */
export function originOf(app: App, user?: Id<'user'>): Origin {
  return { actor: user === undefined ? 'anonymous' : { user }, at: app.clock() }
}
