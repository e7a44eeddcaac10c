/** Random HTTP/2 frames and HTTP/1.1 bytes against a running server. */
import { hostile } from '../../faults/network/hostile.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(hostile)
