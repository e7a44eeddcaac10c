/**
 * What applications of A are told about people. A has a chief; B adds somebody of whom it says all that A says of the chief.
 * In no place may A's application be told the same about both: whoever relies on it would take one for the other.
 */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { SAMLAttributeSourceSchema } from '../../contract/gen/signet/application/v2/saml_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { FIXED_SCOPES } from '../../src/features/authorization-requests/index.ts'
import { bothEngines, type TestEngine } from '../support/engines.ts'
import { introspect, readIdToken, signInFor, userinfo } from '../support/openid-flow.ts'
import { type Application, type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { addProvider, type Provider, readResponse, signOn } from '../support/saml-world.ts'

/** What is said alike about two people. */
const ADDRESS = 'chief@corp.example'
const GROUP = 'wiki-admins'
const NAME = 'The Chief'
const SCOPE = [...FIXED_SCOPES].join(' ')
const isVerified = { case: 'isVerified', value: true }

type Claims = Readonly<Record<string, unknown>>

/** Something that is told alike about both, in a place. */
export interface ToldAlike {
  readonly place: string
  readonly claim: string
  readonly value: unknown
}

/** A person of an organization, of whom it says that they are the chief. */
async function addChief(world: OpenIdWorld, organizationId: string, name: string): Promise<void> {
  const { call, owner } = world
  const userId = await world.addPerson(name, {
    organisation: { org: { case: 'orgId', value: organizationId } },
    profile: { firstName: NAME, lastName: NAME, nickName: NAME, displayName: NAME, gender: 1, preferredLanguage: 'en' },
    email: { email: ADDRESS, verification: isVerified },
    phone: { phone: '+41446681800', verification: isVerified },
    metadata: [{ key: 'level', value: Buffer.from('chief') }],
  })
  const { id } = await call(GroupService.method.createGroup, { organizationId, name: GROUP }, owner)
  await call(GroupService.method.addUsersToGroup, { id, userIds: [userId] }, owner)
}

/** What an application is told about somebody who signs in there, by place. */
async function toldAbout(world: OpenIdWorld, application: Application, provider: Provider, name: string) {
  const { access_token: token, id_token: idToken } = await signInFor(world, application, { scope: SCOPE }, { name })
  const { profile } = await readResponse(provider, await signOn(world, provider, world.browser(), name))
  const places: Readonly<Record<string, Claims>> = {
    'ID token': await readIdToken(world, application, idToken),
    userinfo: (await userinfo(world, token)).body,
    introspection: (await introspect(world, application, token)).body,
    assertion: profile as unknown as Claims,
  }
  return places
}

/** What is about the application, the token or the moment, and not about a person. */
const NOT_ABOUT_PEOPLE =
  /^(iss|aud|exp|iat|updated_at|nbf|azp|acr|amr|auth_time|nonce|jti|sid|at_hash|client_id|scope|token_type|active|issuer|inResponseTo|sessionIndex|nameIDFormat|nameQualifier|spNameQualifier|getAssertionXml|getAssertion|getSamlResponseXml|attributes)$/

/** Everything that is told alike. */
export async function searchListeners(engine: TestEngine): Promise<readonly ToldAlike[]> {
  const world = await openOpenIdWorld({ engine })
  try {
    const elsewhere = (await world.call(ManagementService.method.addOrg, { name: 'Elsewhere' }, world.owner)).id
    const application = await world.addApplication({ idTokenUserinfoAssertion: true })
    const items = SAMLAttributeSourceSchema.values
      .filter(({ number }) => number > 0)
      .map(({ number, localName }) => ({ name: localName, source: number }))
    const options = { identifierFormat: null }
    const provider = await addProvider(world, { config: { attributes: { items } }, options } as never)
    await addChief(world, world.defaultOrganizationId, 'chief')
    await addChief(world, elsewhere, 'other')
    const about = await toldAbout(world, application, provider, 'chief')
    const other = await toldAbout(world, application, provider, 'other')
    return Object.entries(about).flatMap(([place, claims]) => {
      // Otherwise nothing would be searched.
      assert.ok(Object.keys(claims).length > 5, place)
      return Object.entries(claims)
        .filter(([claim, value]) => !NOT_ABOUT_PEOPLE.test(claim) && typeof value !== 'function')
        .filter(([claim, value]) => isDeepStrictEqual(value, other[place]?.[claim]))
        .map(([claim, value]) => ({ place, claim, value }))
    })
  } finally {
    await world.dispose()
  }
}

/** What may be told alike. */
export interface MeantAlike {
  /** A page of docs/decisions. */
  readonly decision: string
  readonly why: string
  readonly claims: RegExp
}

export const ALIKE: readonly MeantAlike[] = [
  {
    decision: '0125',
    why: 'names are what an organization says, and nobody is found by them',
    claims: /^(name|given_name|family_name|nickname|SAML_ATTRIBUTE_SOURCE_(FIRST|LAST|DISPLAY)_NAME)$/,
  },
  {
    decision: '0125',
    why: 'an address or a number is told, and not that it is verified',
    claims: /^(email|phone_number)$/,
  },
  { decision: '0125', why: 'it makes nobody somebody else', claims: /^(gender|locale)$/ },
]

/** Those that nobody meant, one line each. */
export function unexplained(told: readonly ToldAlike[]): readonly string[] {
  return told
    .filter(({ claim }) => !ALIKE.some(({ claims }) => claims.test(claim)))
    .map(({ place, claim, value }) => `${place} tells ${claim} ${JSON.stringify(value)} about both`)
}

export async function findings(): Promise<readonly string[]> {
  const [engine] = bothEngines
  return unexplained(await searchListeners(engine ?? assert.fail('there is no database')))
}
