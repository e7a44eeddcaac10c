/**
 * What Terraform does with its resources: it creates one, reads it and plans no difference, updates it, reads that, and
 * deletes it. One table, with the requests of the ZITADEL provider; `read` returns what was written.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { durationFromMs } from '@bufbuild/protobuf/wkt'
import { AdminService } from '../../contract/gen/signet/admin/v1/admin_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { SecretGeneratorType } from '../../contract/gen/signet/settings/v1/settings_pb.ts'
import { engines } from '../support/engines.ts'
import { isRefused } from '../support/small-world.ts'
import { openWorld, type World } from '../support/world.ts'
import { ACTIONS } from './terraform/actions.ts'
import { APPLICATIONS } from './terraform/applications.ts'
import { IDENTITY_PROVIDERS } from './terraform/identity-providers.ts'
import { INSTANCE } from './terraform/instance.ts'
import { ORGANIZATIONS } from './terraform/organizations.ts'
import { DOMAINS, POLICIES } from './terraform/policies.ts'
import { PROJECTS } from './terraform/projects.ts'
import { exercise, openApi, type Resources } from './terraform/resource.ts'
import { TEXTS } from './terraform/texts.ts'
import { USERS } from './terraform/users.ts'

const admin = AdminService.method
const management = ManagementService.method

const RESOURCES: Resources = {
  ...ORGANIZATIONS,
  ...USERS,
  ...PROJECTS,
  ...APPLICATIONS,
  ...IDENTITY_PROVIDERS,
  ...POLICIES,
  ...TEXTS,
  ...INSTANCE,
  ...ACTIONS,
}

const generator = {
  generatorType: SecretGeneratorType.PASSWORD_RESET_CODE,
  length: 8,
  expiry: durationFromMs(1_800_000),
  includeUpperLetters: true,
  includeDigits: true,
}

/** The resources that the guide says to work. */
async function namesInGuide(): Promise<readonly string[]> {
  const guide = await readFile(new URL('../../docs/guides/terraform.md', import.meta.url), 'utf8')
  const table = /## What works\n([\s\S]*?)\n## /.exec(guide)?.[1] ?? assert.fail('there is no such table')
  return [...table.matchAll(/`(.+?)`/g)].map(([, name = '']) => name)
}

test('the resources in the guide are those of the table', async () => {
  const rows = Object.keys(RESOURCES).map((name) => name.split(' ')[0])
  assert.deepEqual((await namesInGuide()).toSorted(), [...new Set(rows)].toSorted())
})

for (const engine of engines) {
  suite(`resources of Terraform on ${engine.name}`, () => {
    let world: World
    const call: World['call'] = (method, request) => world.call(method, request, world.owner)
    before(async () => {
      world = await openWorld({ engine })
    })
    after(() => world.dispose())

    for (const [name, resource] of Object.entries(RESOURCES)) {
      test(name, () => exercise(openApi(world), resource))
    }

    test('the default organization and the primary domain are set', async () => {
      const { id } = await call(management.addOrg, { name: 'Another' })
      await call(admin.setDefaultOrg, { orgId: id })
      assert.equal((await call(admin.getDefaultOrg, {})).org?.id, id)
      await call(admin.setDefaultOrg, { orgId: world.defaultOrganizationId })
      await isRefused(call(admin.setDefaultOrg, { orgId: '1' }), 'organization.not_found')
      const domain = 'shop.example.com'
      await call(management.addOrgDomain, { domain })
      await isRefused(call(management.setPrimaryOrgDomain, { domain }), 'organization.domain_not_verified')
      await call(management.generateOrgDomainValidation, { domain, type: 2 })
      world.provenDomains.add(domain)
      await call(management.validateOrgDomain, { domain })
      await call(management.setPrimaryOrgDomain, { domain })
      assert.equal((await call(management.getMyOrg, {})).org?.primaryDomain, domain)
    })

    test('the domain policy of an organization is accepted, but it stays that of the instance', async () => {
      const orgId = world.defaultOrganizationId
      await call(admin.addCustomDomainPolicy, { orgId, ...DOMAINS })
      const { policy } = await call(management.getDomainPolicy, {})
      assert.deepEqual([policy?.isDefault, policy?.validateOrgDomains], [true, true])
    })

    test('a policy that cannot be changed refuses another one, and codes cannot become weaker', async () => {
      await isRefused(call(admin.updateDomainPolicy, { validateOrgDomains: false }), 'settings.domain_policy_fixed')
      await isRefused(call(admin.updateSecretGenerator, { ...generator, length: 4 }), 'settings.generator_weak')
      await isRefused(
        call(admin.updateSecretGenerator, { ...generator, includeUpperLetters: false }),
        'settings.generator_weak',
      )
      await isRefused(
        call(admin.setRestrictions, { disallowPublicOrgRegistration: false }),
        'settings.registration_closed',
      )
      await isRefused(
        call(admin.setRestrictions, { allowedLanguages: { list: ['de'] } }),
        'settings.default_language_needed',
      )
    })
  })
}
