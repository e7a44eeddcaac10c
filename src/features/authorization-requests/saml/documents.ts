/** The kind of SAML requests. */
import { kind } from '../../../store/index.ts'
import { authorizationRequestRefusals } from '../refusals.ts'
import { samlRequest } from './decider.ts'
import { samlRequestEvents } from './events.ts'

export const samlRequests = kind({
  name: 'saml-request',
  ids: 'own',
  waits: { endsAlone: 'It gives nothing before somebody signs in for it, and what it gives then is a grant.' },
  path: false,
  version: 2,
  events: samlRequestEvents,
  decider: samlRequest,
  refusals: authorizationRequestRefusals,
  fields: { expiresAt: { path: ['expiresAt'], type: 'number' } },
  removable: true,
})
