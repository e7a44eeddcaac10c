/** A realm of a real Keycloak moves in, and both servers are asked who gets in. It needs `SIGNET_TEST_KEYCLOAK`: see CONTRIBUTING.md. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { compareAccess } from '../../src/cli/import/compare/access.ts'
import type { DifferentObject } from '../../src/cli/import/compare/compare.ts'
import { Keycloak } from '../../src/cli/import/compare/keycloak.ts'
import { openKeycloak } from '../../src/cli/import/keycloak/source.ts'
import { runMove } from '../../src/cli/import/move.ts'
import { engines } from '../support/engines.ts'
import { openOpenIdWorld } from '../support/openid-world.ts'
import { OUTSIDE, REALM } from '../support/real-keycloak/realm.ts'
import { keycloakFolder, RealKeycloak } from '../support/real-keycloak/server.ts'

const [engine] = engines

suite('a real Keycloak', { skip: keycloakFolder === '' && 'needs SIGNET_TEST_KEYCLOAK' }, () => {
  let keycloak: RealKeycloak | undefined
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'real-keycloak-'))
    keycloak = await RealKeycloak.start()
    await keycloak.makeRealm(OUTSIDE)
    await keycloak.export(REALM, folder)
  })
  after(async () => {
    await keycloak?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (const target of ['organization', 'instance'] as const)
    test(`moves in as ${target}, and nobody gets in who did not`, async (t) => {
      assert.ok(keycloak !== undefined && engine !== undefined)
      const world = await openOpenIdWorld({ engine })
      t.after(() => world.dispose())
      const moved = await openKeycloak({ path: folder, target, realm: REALM, oldUrl: keycloak.url, oldKeys: true })
      const { kinds, reasons } = await runMove(world.app, moved, { isQuiet: true })
      assert.deepEqual(
        reasons.filter(({ type }) => type === 'refused'),
        [],
      )
      assert.ok((kinds['identity-provider']?.carried ?? 0) > 30 && (kinds.application?.carried ?? 0) > 40)
      const found: DifferentObject[] = []
      const results = await compareAccess({
        keycloak: new Keycloak(keycloak.url, REALM, await keycloak.token()),
        target: { url: world.url, token: world.owner.bearer ?? '', side: 'target' },
        onDifference: (one) => found.push(one),
      })
      assert.deepEqual(found, [])
      for (const { question, objects, unanswered } of results) {
        assert.equal(unanswered, undefined, question)
        assert.ok(objects > 0, question)
      }
    })
})
