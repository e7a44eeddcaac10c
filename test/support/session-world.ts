/** A world with users who have sessions, under the name that most tests know. */
import type { TestEngine } from './engines.ts'
import { type SessionWorld, withSessions } from './parts/sessions.ts'
import { openWorld, type WorldOptions } from './world.ts'

export * from './parts/sessions.ts'

export function openSessionWorld(engine?: TestEngine, options: WorldOptions = {}): Promise<SessionWorld> {
  return openWorld({ ...options, engine }, withSessions)
}
