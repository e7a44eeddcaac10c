/** Which account at a SAML provider a response is about: its name, exactly, in the format that was asked for. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { SAMLNameIDFormat } from '../../contract/gen/signet/idp/v1/config_pb.ts'
import { UserService } from '../../contract/gen/signet/user/v2/user_service_pb.ts'
import { FORMAT } from '../../src/kernel/saml-names.ts'
import { engines } from '../support/engines.ts'
import { type OpenIdWorld, openOpenIdWorld } from '../support/openid-world.ts'
import { type ResponseParts, upstreamMetadata, usualResponse } from '../support/response-forger.ts'

const ENTITY = 'https://names.example'
const URLS = { successUrl: 'http://localhost/in', failureUrl: 'http://localhost/no' }
const WINDOWS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName'
const OTHERS = [
  WINDOWS,
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
]
const WHITE_SPACE = [' ada', 'ada ', '\tada', 'ada&#9;', '\nada\n', 'ada&#10;', 'ada&#xa0;', '&#x3000;ada']

type Name = Pick<ResponseParts, 'nameId' | 'nameAttributes' | 'attributes'>

for (const engine of engines) {
  suite(`names of accounts at SAML providers on ${engine.name}`, () => {
    let world: OpenIdWorld
    let userId: string
    let count = 0

    before(async () => {
      world = await openOpenIdWorld({ engine })
      userId = await world.addPerson('grace')
    })
    after(async () => {
      await world.dispose()
      assert.deepEqual(world.faults, [])
    })

    /** A provider that asks for names in a format, where the account `ada` is linked to a user. */
    const addProvider = async (format: keyof typeof FORMAT, more: object = {}) => {
      const { method } = AdminService
      const nameIdFormat = SAMLNameIDFormat[
        `SAML_NAME_ID_FORMAT_${format === 'email' ? 'EMAIL_ADDRESS' : format.toUpperCase()}` as keyof typeof SAMLNameIDFormat
      ] as SAMLNameIDFormat
      const metadata = { case: 'metadataXml', value: Buffer.from(upstreamMetadata(ENTITY)) }
      const given = { name: `Names ${++count}`, metadata, nameIdFormat, ...more }
      const { id: idpId } = await world.call(method.addSAMLProvider, given as never, world.owner)
      const idpLink = { idpId, userId: 'ada', userName: 'ada' }
      await world.call(UserService.method.addIDPLink, { userId, idpLink } as never, world.owner)
      return idpId
    }
    /** Signs in: the parameters of the address where the browser arrives. */
    const signIn = async (idpId: string, name: Name | ((audience: string) => Name)) => {
      const message = { idpId, content: { case: 'urls', value: URLS } } as const
      const { startIdentityProviderIntent } = UserService.method
      const { nextStep } = await world.call(startIdentityProviderIntent, message as never, world.owner)
      assert.ok(nextStep.case === 'authUrl')
      const { searchParams } = new URL(nextStep.value)
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      const requestId = / ID="([^"]*)"/.exec(request)?.[1] ?? ''
      const [acs, audience] = ['acs', 'metadata'].map((page) => `${world.url}/idps/${idpId}/saml/${page}`) as [
        string,
        string,
      ]
      const said = typeof name === 'function' ? name(audience) : name
      const xml = usualResponse({ issuer: ENTITY, requestId, acs, audience, ...said })
      const RelayState = searchParams.get('RelayState') ?? ''
      const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState })
      const answer = await fetch(acs, { method: 'POST', body, redirect: 'manual' })
      return new URL(answer.headers.get('location') ?? '', world.url).searchParams
    }
    const reasonOf = async (found: URLSearchParams) => {
      const events = await world.store.events({ id: found.get('id') ?? '', limit: 10 })
      return events.map(({ data }) => (data as { reason?: string }).reason).find((reason) => reason !== undefined)
    }
    const accountOf = async (found: URLSearchParams) => {
      const [idpIntentId = '', idpIntentToken = ''] = ['id', 'token'].map((name) => found.get(name) ?? '')
      const { retrieveIdentityProviderIntent } = UserService.method
      const told = await world.call(retrieveIdentityProviderIntent, { idpIntentId, idpIntentToken }, world.owner)
      return { account: told.idpInformation?.userId, user: told.userId }
    }
    const isRefused = async (found: URLSearchParams, reason: string, message: string) => {
      assert.equal(found.get('user'), null, message)
      assert.equal(found.get('token'), null, message)
      assert.equal(await reasonOf(found), reason, message)
    }

    test('a name in the format that was asked for is the account that was linked by its text', async () => {
      for (const format of ['persistent', 'email', 'unspecified'] as const) {
        const idpId = await addProvider(format)
        const found = await signIn(idpId, { nameAttributes: { Format: FORMAT[format] } })
        assert.equal(found.get('user'), userId, format)
      }
      // A name without a format is one of an unspecified format (SAML 2.0 Core §2.2.2).
      assert.equal((await signIn(await addProvider('unspecified'), { nameAttributes: {} })).get('user'), userId)
    })

    test('a name in a format that was not asked for signs nobody in, whatever its text', async () => {
      for (const asked of ['persistent', 'email', 'transient'] as const) {
        const idpId = await addProvider(asked, { transientMappingAttributeName: 'account' })
        const others = [...Object.values(FORMAT), ...OTHERS, undefined].filter((format) => format !== FORMAT[asked])
        for (const Format of others) {
          const nameAttributes = Format === undefined ? {} : { Format }
          await isRefused(await signIn(idpId, { nameAttributes }), 'name_format_mismatch', `${asked}: ${Format}`)
        }
      }
      const idpId = await addProvider('unspecified')
      for (const format of ['persistent', 'email'] as const) {
        const nameAttributes = { Format: FORMAT[format] }
        await isRefused(await signIn(idpId, { nameAttributes }), 'name_format_mismatch', format)
      }
    })

    test('where no format is asked for, names in formats that have no setting are accounts of their own', async () => {
      const idpId = await addProvider('unspecified')
      const found = await Promise.all(
        OTHERS.map(async (Format) => accountOf(await signIn(idpId, { nameAttributes: { Format } }))),
      )
      assert.deepEqual(
        found.map(({ user }) => user),
        OTHERS.map(() => ''),
      )
      assert.equal(new Set(found.map(({ account }) => account)).size, OTHERS.length)
      // The next sign-in comes with the same account, and nobody can choose a name that reads like it.
      const [Format = ''] = OTHERS
      const again = await accountOf(await signIn(idpId, { nameAttributes: { Format } }))
      assert.deepEqual(again, found[0])
      const nameAttributes = { Format: FORMAT.unspecified }
      const chosen = await signIn(idpId, { nameId: found[0]?.account ?? '', nameAttributes })
      await isRefused(chosen, 'information_invalid', 'a name that reads as a derived one')
    })

    test('white space around a name is not ignored: such a name signs nobody in', async () => {
      const idpId = await addProvider('persistent')
      for (const nameId of WHITE_SPACE) await isRefused(await signIn(idpId, { nameId }), 'information_invalid', nameId)
      const byAttribute = await addProvider('transient', { transientMappingAttributeName: 'account' })
      const bearing = (text: string) => ({
        nameAttributes: { Format: FORMAT.transient },
        attributes: `<saml:AttributeStatement><saml:Attribute Name="account"><saml:AttributeValue>${text}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`,
      })
      assert.equal((await signIn(byAttribute, bearing('ada'))).get('user'), userId)
      for (const text of WHITE_SPACE) {
        await isRefused(await signIn(byAttribute, bearing(text)), 'information_invalid', text)
      }
    })

    test('a name with the qualifier of another domain is another account; the qualifiers of the two sides say nothing new', async () => {
      const idpId = await addProvider('persistent')
      const { persistent: Format } = FORMAT
      const same = await signIn(idpId, (audience) => ({
        nameAttributes: { Format, NameQualifier: ENTITY, SPNameQualifier: audience },
      }))
      assert.equal(same.get('user'), userId)
      const accounts = new Set<string | undefined>(['ada'])
      for (const qualifiers of [
        { NameQualifier: 'https://elsewhere.example' },
        { SPNameQualifier: 'https://elsewhere.example' },
        { NameQualifier: 'https://elsewhere.example', SPNameQualifier: 'https://elsewhere.example' },
        { NameQualifier: ENTITY, SPNameQualifier: ENTITY },
      ]) {
        const { account, user } = await accountOf(await signIn(idpId, { nameAttributes: { Format, ...qualifiers } }))
        assert.equal(user, '', JSON.stringify(qualifiers))
        accounts.add(account)
      }
      assert.equal(accounts.size, 5)
    })
  })
}
