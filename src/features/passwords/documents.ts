/** The kind `password`. Its documents contain hashes; only this module reads them. */
import { kind } from '../../store/index.ts'
import { password } from './decider.ts'
import { passwordEvents } from './events.ts'
import { passwordsRefusals } from './refusals.ts'

/** The id is that of the user. */
export const passwords = kind({
  name: 'password',
  ids: { of: 'user' },
  waits: false,
  path: false,
  version: 2,
  personal: { by: 'id' },
  events: passwordEvents,
  decider: password,
  refusals: passwordsRefusals,
  fields: { slowMilliseconds: { path: ['slowMilliseconds'], type: 'number' } },
  isGone: (state) => state.status === 'removed',
})
