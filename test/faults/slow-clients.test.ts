/** Slow and silent clients of a running server. */
import { slowClients } from '../../faults/network/slow-clients.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(slowClients)
