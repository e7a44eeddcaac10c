/** Metadata documents of strangers, one after the other. */
import { clientDocuments } from '../../faults/network/client-documents.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(clientDocuments)
