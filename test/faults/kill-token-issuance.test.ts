/** `kill -9` while eight machines get tokens: every token that was acknowledged works after the restart. */
import { killTokens } from '../../faults/server/kill-tokens.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(killTokens)
