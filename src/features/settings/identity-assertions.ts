/** Identity assertion grants: for which partners they are issued, and of which issuers they are accepted. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import { settingsRefusals } from './refusals.ts'
import { securitySettings } from './security.ts'
import { assertionProblems } from './security-values.ts'
import type { AssertionIssuer, AssertionPartner, IdentityAssertions } from './values.ts'

/** Throws, and names the fields, unless these are other authorization servers, each of them once. */
export function checkAssertionParties({ externalUrl }: App, assertions: IdentityAssertions): void {
  const violations = assertionProblems(assertions, externalUrl).map(({ field, description }) => ({
    field: `identityAssertions.${field}`,
    description,
  }))
  if (violations.length > 0) throw refused(settingsRefusals, 'settings.assertion_party_invalid', { violations })
}

/** Whether applications get assertions for partners at all. */
export async function issuesAssertions(app: App): Promise<boolean> {
  return (await securitySettings(app)).assertions?.isIssuing === true
}

/** The partner with this issuer for which an application gets assertions, with its client ID there. */
export async function assertionPartner(
  app: App,
  issuer: string,
  clientId: string,
): Promise<(AssertionPartner & { readonly partnerClientId: string }) | undefined> {
  const { assertions } = await securitySettings(app)
  if (assertions?.isIssuing !== true) return undefined
  const partner = assertions.partners.find((one) => one.issuer === issuer)
  const client = partner?.clients.find((one) => one.clientId === clientId)
  return partner && client && { ...partner, partnerClientId: client.partnerClientId }
}

/** The issuer whose assertions an application can show now. */
export async function assertionIssuer(
  app: App,
  issuer: string,
  clientId: string,
  reader: Reader = app.store,
): Promise<AssertionIssuer | undefined> {
  const { assertions } = await securitySettings(app, reader)
  if (assertions?.isAccepting !== true) return undefined
  return assertions.issuers.find((one) => one.issuer === issuer && one.clientIds.includes(clientId))
}
