/** The kind of logouts on their way. They leave the log an hour after they expired. */
import { kind, type Retention, removalKind } from '../../../store/index.ts'
import { samlRefusals } from '../refusals.ts'
import { type SamlLogout, samlLogout } from './decider.ts'
import { samlLogoutEvents } from './events.ts'

const RETENTION_MS = 3_600_000

export const samlLogouts = kind({
  name: 'saml-logout',
  ids: 'own',
  waits: { endsAlone: 'It only ends sessions.' },
  path: false,
  version: 2,
  events: samlLogoutEvents,
  decider: samlLogout,
  refusals: samlRefusals,
  fields: { expiresAt: { path: ['expiresAt'], type: 'number' } },
  removable: true,
})

/** Records which logouts were deleted from the log. */
export const samlLogoutRetirements = removalKind('saml-logout-retirement', 'saml_logout.retired.v1')

export const samlLogoutRetention: Retention<SamlLogout> = {
  kind: samlLogouts,
  records: samlLogoutRetirements,
  retentionMs: RETENTION_MS,
  batchSize: 200,
  findEnded: (store, endedBy, limit) => store.findIds(samlLogouts, { field: 'expiresAt', atMost: endedBy }, limit),
  hasEnded: ({ state }, endedBy) => state.status !== 'unknown' && state.expiresAt <= endedBy,
}
