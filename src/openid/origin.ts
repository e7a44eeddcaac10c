/** Who and when is recorded on what the OpenID endpoints write. */

import { ANONYMOUS_ACTOR } from '../kernel/actor.ts'
import type { App } from '../module/app.ts'
import type { Origin } from '../store/index.ts'

/** A write by this user now; by an anonymous caller if there is none. */
export function originOf(app: App, actor: string = ANONYMOUS_ACTOR): Origin {
  return { actor, at: app.clock() }
}
