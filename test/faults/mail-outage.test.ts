/** Emails while the SMTP server or the name server is away, and while the process is killed. */
import { dnsFailure } from '../../faults/network/dns-failure.ts'
import { smtpOutage } from '../../faults/network/smtp-outage.ts'
import { testScenario } from '../support/test-scenario.ts'

await testScenario(smtpOutage)
await testScenario(dnsFailure)
