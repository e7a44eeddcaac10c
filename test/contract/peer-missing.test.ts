/** Every method that was missing for clients of the ZITADEL API is served, or refused with a reason that is written down. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { engines } from '../support/engines.ts'
import { openWorld } from '../support/world.ts'
import { GROUPS, NUMBER_IN_GROUPS, REFUSED } from './peer-missing.ts'
import { startServer } from './server.ts'

/** The paths of the methods of a group, as their clients call them. */
function pathsOf(group: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(group).flatMap(([service, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => `/zitadel.${service}/${name}`),
  )
}

suite('the methods that were missing', () => {
  test('are all in a group, and each in one', () => {
    const paths = Object.values(GROUPS).flatMap(pathsOf)
    assert.equal(new Set(paths).size, paths.length)
    assert.equal(paths.length, NUMBER_IN_GROUPS)
  })

  test('are answered by group: served ones ask who calls, refused ones are not implemented', async (context) => {
    const world = await openWorld({ engine: engines[0] })
    context.after(() => world.dispose())
    const { url, faults } = await startServer(context, world.methods, world.authorize)
    /** What a caller without a token hears: nobody is told what is wrong with a request before they say who they are. */
    const ask = async (path: string) => {
      const headers = { 'content-type': 'application/proto' }
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers })
      if (answer.ok) return 'ok'
      return ((await answer.json()) as { readonly code?: string }).code
    }
    for (const [name, group] of Object.entries(GROUPS)) {
      for (const path of pathsOf(group)) {
        assert.equal(await ask(path), path.endsWith('/Healthz') ? 'ok' : 'unauthenticated', `${name}: ${path}`)
      }
    }
    for (const [reason, group] of Object.entries(REFUSED)) {
      for (const path of pathsOf(group)) assert.equal(await ask(path), 'unimplemented', `${reason}: ${path}`)
    }
    assert.deepEqual(faults, [])
  })

  test('that are refused are written down', () => {
    const page = readFileSync(
      new URL('../../docs/decisions/0095-where-we-differ-from-zitadel.md', import.meta.url),
      'utf8',
    )
    const written = [
      ...['Actions v1 and flows', 'Texts of the first login', '`AddCustomDomain`', '`AddTrustedDomain`'],
      ...['`AddInstanceTrustedDomain`', 'System service', '`DeleteInstance`', '`ImportData`', 'milestones'],
      ...['`RemoveFailedEvent`', 'Features of the system'],
    ]
    assert.deepEqual(
      written.filter((words) => !page.includes(words)),
      [],
    )
  })
})
