/** All fault scenarios, in the order in which `npm run faults` runs them. */
import { followImport } from './import/follow.ts'
import { clientDocuments } from './network/client-documents.ts'
import { dnsFailure } from './network/dns-failure.ts'
import { flood } from './network/flood.ts'
import { fuzzMethods } from './network/fuzz.ts'
import { h2spec } from './network/h2spec.ts'
import { hostile } from './network/hostile.ts'
import { slowClients } from './network/slow-clients.ts'
import { smtpOutage } from './network/smtp-outage.ts'
import { failover } from './postgres/failover.ts'
import { halfOpen } from './postgres/half-open.ts'
import { races, staleReads } from './postgres/nodes.ts'
import { postgresRestart } from './postgres/restart.ts'
import { sessionRace } from './postgres/session-race.ts'
import type { Scenario } from './scenario.ts'
import { walkUsers } from './scim/walk-users.ts'
import { clockChange } from './server/clock.ts'
import { killDeliveries } from './server/kill-deliveries.ts'
import { killTokens } from './server/kill-tokens.ts'
import { rollingRestart } from './server/rolling-restart.ts'
import { shutdown } from './server/shutdown.ts'
import { fullDisk } from './storage/full-disk.ts'
import { kill } from './storage/kill.ts'
import { powerCut } from './storage/power-cut.ts'
import { readOnlyDisk } from './storage/read-only-disk.ts'
import { rebuild } from './storage/rebuild.ts'
import { failingDisk, slowDisk } from './storage/slow-disk.ts'

export const scenarios: readonly Scenario[] = [
  kill,
  killTokens,
  followImport,
  killDeliveries,
  powerCut,
  fullDisk,
  readOnlyDisk,
  slowDisk,
  failingDisk,
  rebuild,
  clockChange,
  shutdown,
  postgresRestart,
  failover,
  halfOpen,
  staleReads,
  races,
  sessionRace,
  rollingRestart,
  smtpOutage,
  dnsFailure,
  slowClients,
  flood,
  hostile,
  h2spec,
  fuzzMethods,
  clientDocuments,
  walkUsers,
]
