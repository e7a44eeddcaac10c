/** Slow, silent and hostile clients of a running server. */
import { flood } from '../../faults/network/flood.ts'
import { slowClients } from '../../faults/network/slow-clients.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(slowClients)
await testScenario(flood)
