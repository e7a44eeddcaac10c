/** The refusal of a request that would have to wait too long. */
import type { Failure } from '../protocols/errors.ts'
import { STATUS } from '../protocols/status.ts'
import { type Priority, QUEUED, RETRY_AFTER_SECONDS } from './priority.ts'

const failure: Failure = {
  status: STATUS.exhausted,
  id: 'server.overloaded',
  message: 'The server is overloaded. Try again later.',
}

/** One object for each priority, so that its text is written once. */
const FAILURES: Readonly<Record<string, Failure>> = Object.fromEntries(
  QUEUED.map((priority) => [priority, Object.freeze({ ...failure, retryAfterSeconds: RETRY_AFTER_SECONDS[priority] })]),
)

/** What a request of this priority is answered with. */
export function overloaded(priority: Priority): Failure {
  return FAILURES[priority] ?? failure
}
