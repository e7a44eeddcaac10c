/** The form that the OpenAPI document gives a text is checked: a text of another form is refused, in every method. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { formatOf } from '../../src/http/openapi/formats.ts'
import { engines } from '../support/engines.ts'
import { allMethods } from '../support/services.ts'
import { openWorld } from '../support/world.ts'
import { pathOf, type Step } from './limit-cases.ts'
import { requestWith } from './limit-values.ts'
import { startServer } from './server.ts'

const WRONG = 'x y'

/** The ways to every text of a checked form in a request. */
function formatted(message: DescMessage, steps: readonly Step[] = []): readonly (readonly Step[])[] {
  return message.fields.flatMap((field) => {
    const here = [...steps, { field, isItem: false }]
    if (Object.keys(formatOf(field)).length > 0) return [here]
    return field.fieldKind === 'message' && here.length < 5 ? formatted(field.message, here) : []
  })
}

/** Any text may be looked for, and is handed to an application as the reason of a failure. */
const LOOKED_UP = [
  'signet.admin.v1.IsOrgUniqueRequest.domain',
  // Kept for tools that set it.
  'signet.idp.v1.InstanceRolesInfo.organization_domain',
  // These are names of attributes in a directory.
  ...['avatar_url', 'email', 'email_verified', 'phone', 'phone_verified'].map(
    (name) => `signet.idp.v1.LDAPAttributes.${name}_attribute`,
  ),
  'signet.instance.v2.DomainFilter.domain',
  'signet.management.v1.IsUserUniqueRequest.email',
  'signet.object.v2.Organisation.org_domain',
  'signet.oidc.v2.AuthorizationError.error_uri',
  // It may contain placeholders, and be a mailto URL.
  'signet.settings.v2.Link.url',
]

suite('texts of a form that the document names', () => {
  test('are refused when they are of another one', { timeout: 600_000 }, async (context) => {
    const world = await openWorld({ engine: engines[0] })
    context.after(() => world.dispose())
    const { url, faults } = await startServer(context, world.methods, world.authorize)
    let named = 0
    for (const [name, { input }] of allMethods) {
      for (const steps of formatted(input)) {
        const path = pathOf(steps)
        const answer = await fetch(`${url}/${name}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.owner.bearer}`, 'content-type': 'application/json' },
          body: JSON.stringify(requestWith(input, steps, WRONG)),
        })
        const text = await answer.text()
        assert.ok(answer.status >= 400 && answer.status < 500, `${name} ${path}: ${answer.status}`)
        // Where the object does not exist, that is what is said.
        if (text.includes(`"${path}"`)) named++
      }
    }
    assert.ok(named > 40, `${named} were named`)
    assert.deepEqual(faults, [])
  })
  test('are all texts in requests that are named like an address, except where they are looked for', () => {
    const found = new Set<DescMessage>(Array.from(allMethods.values(), ({ input }) => input))
    for (const { fields } of found) for (const { message } of fields) if (message !== undefined) found.add(message)
    const likeAddresses = [...found].flatMap(({ typeName, fields }) =>
      fields
        .filter(({ fieldKind, scalar, name }) => {
          const isText = fieldKind === 'scalar' && scalar === ScalarType.STRING
          return isText && /(^|_)(url|uri|issuer|endpoint|domain|phone|email|address|host|template)(_|$)/.test(name)
        })
        .filter((field) => !typeName.endsWith('Query') && Object.keys(formatOf(field)).length === 0)
        .map(({ name }) => `${typeName}.${name}`),
    )
    assert.deepEqual(likeAddresses.sort(), LOOKED_UP)
  })
})
