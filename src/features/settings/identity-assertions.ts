/** Identity assertion grants: for which partners they are issued, and of which issuers they are accepted. */
import { refused } from '../../kernel/refusal.ts'
import type { App } from '../../module/app.ts'
import type { Reader } from '../../store/index.ts'
import type { AssertionIssuer, AssertionPartner, IdentityAssertions } from './events.ts'
import { settingsRefusals } from './refusals.ts'
import { securitySettings } from './security.ts'

/** An https address of a host with a name, in its only spelling. */
function isHttps(text: string): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || /[#@\\\s]/.test(text) || !/\.[a-z][a-z0-9-]*$/.test(url.hostname)) return false
  return url.href === text || url.href === `${text}/`
}

/** Throws, and names the fields, unless these are other authorization servers, each of them once. */
export function checkAssertionParties({ externalUrl }: App, { partners, issuers }: IdentityAssertions): void {
  const address = 'must be an https address, in its usual spelling'
  const twice = 'is named before'
  const problemOf = (all: readonly { readonly issuer: string }[], issuer: string, index: number) => {
    if (!isHttps(issuer) || issuer.includes('?')) return address
    if (issuer === externalUrl) return 'must be another server than this'
    return all.findIndex((one) => one.issuer === issuer) < index ? twice : undefined
  }
  const violations = [
    ...partners.map(({ issuer }, index) => [`partners[${index}].issuer`, problemOf(partners, issuer, index)]),
    ...issuers.map(({ issuer }, index) => [`issuers[${index}].issuer`, problemOf(issuers, issuer, index)]),
    ...issuers.map(({ jwksUri }, index) => [`issuers[${index}].jwksUri`, isHttps(jwksUri) ? undefined : address]),
  ].flatMap(([field, description]) =>
    description === undefined ? [] : [{ field: `identityAssertions.${field}`, description }],
  )
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
