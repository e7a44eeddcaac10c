/** A stored client secret stays with the addresses it was set for: a caller who changes one of them sends the secret again. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DescMethodUnary } from '@bufbuild/protobuf'
import { AdminService } from '../../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../../contract/gen/signet/management/v1/management_pb.ts'
import { afterwards } from '../../../test/support/afterwards.ts'
import { engines } from '../../../test/support/engines.ts'
import { isRefused } from '../../../test/support/small-world.ts'
import { openWorld } from '../../../test/support/world.ts'

type Service = { readonly method: Readonly<Record<string, DescMethodUnary>> }

/** The fields of a request that say where a secret is sent. */
const ADDRESSES = ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'userEndpoint']

const services = [ManagementService, AdminService]

function fieldsOf({ input }: DescMethodUnary): readonly string[] {
  return input.fields.map(({ localName }) => localName)
}

/** Every method that changes an address and takes a secret, found in the contract: a new one is tested too. */
const changing = services
  .flatMap((service) => service.methods as readonly DescMethodUnary[])
  .filter(({ name }) => /^Update/.test(name))
  .filter((method) => fieldsOf(method).includes('clientSecret'))
  .filter((method) => fieldsOf(method).some((field) => [...ADDRESSES, 'tenant'].includes(field)))

/** The method that adds what this one changes. */
function adderOf({ name, parent }: DescMethodUnary): DescMethodUnary {
  const added = name.replace(/^Update/, 'Add').replace(/(Org)?IDPOIDCConfig$/, '$1OIDCIDP')
  const { method } = parent as unknown as Service
  return Object.values(method).find((one) => one.name === added) ?? assert.fail(added)
}

function messageOf(method: DescMethodUnary, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(fieldsOf(method).flatMap((field) => (field in values ? [[field, values[field]]] : [])))
}

for (const engine of engines) {
  suite(`kept client secrets on ${engine.name}`, () => {
    test('no method sends a stored secret to another address', async (t) => {
      const world = await openWorld({ engine })
      afterwards(t, () => world.dispose())
      assert.ok(changing.length >= 8, `${changing.length}`)
      for (const [index, method] of changing.entries()) {
        const values = {
          name: `provider ${index}`,
          clientId: 'us',
          clientSecret: 'kept',
          idAttribute: 'id',
          issuer: 'https://login.example',
          authorizationEndpoint: 'https://login.example/a',
          tokenEndpoint: 'https://login.example/t',
          userEndpoint: 'https://login.example/u',
        }
        const adder = adderOf(method)
        const added = (await world.call(adder, messageOf(adder, values), world.owner)) as {
          id?: string
          idpId?: string
        }
        const id = added.id ?? added.idpId ?? ''
        const change = (other: Readonly<Record<string, unknown>>) =>
          world.call(method, messageOf(method, { ...values, id, idpId: id, ...other }), world.owner)
        const elsewhere = { tenant: { type: { case: 'tenantId', value: 'other' } } } as Record<string, unknown>
        for (const field of ADDRESSES) elsewhere[field] = `https://elsewhere.example/${field}`
        for (const [field, value] of Object.entries(elsewhere)) {
          if (!fieldsOf(method).includes(field)) continue
          await isRefused(
            change({ [field]: value, clientSecret: '' }),
            'identity_provider.secret_needed',
            'clientSecret',
          )
          await change({ [field]: value, clientSecret: 'new' })
          await change({ clientSecret: 'newer' })
        }
        await change({ clientId: 'we', clientSecret: '' })
      }
    })
  })
}
