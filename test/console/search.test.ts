/** The search of the console: pages and settings by their names, in every language and only what the user may read. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { permissionsOf } from '../../console/src/access/permissions.ts'
import { PAGES } from '../../console/src/places/pages.ts'
import { SETTINGS, TASKS } from '../../console/src/places/settings.ts'
import { findPages, findSettings } from '../../console/src/shell/search/find-places.ts'
import { rankOf } from '../../console/src/shell/search/found.ts'
import { declaredRoutes } from '../e2e/console-pages.ts'

const owner = permissionsOf([{ level: 'instance', id: '', roles: ['IAM_OWNER'] }])
const orgOwner = permissionsOf([{ level: 'organization', id: '1', roles: ['ORG_OWNER'] }])
const visitor = permissionsOf([])

suite('the search', () => {
  test('finds a name by its beginning or by words in it, whatever the case and the accents', () => {
    assert.equal(rankOf('Password rules', 'pass'), 2)
    assert.equal(rankOf('Password rules', 'rules PASS'), 1)
    assert.equal(rankOf('Clés web', 'cles'), 2)
    assert.equal(rankOf('Passwörter', 'worter'), 1)
    assert.equal(rankOf('Password', 'passes'), 0)
    assert.equal(rankOf('Password', '  '), 0)
  })

  test('finds a setting by its name in English, German and French, and leads to its section', () => {
    for (const text of ['Wrong passwords', 'Falsche Passwörter', 'Mots de passe faux']) {
      const [first] = findSettings(text, 'en', owner)
      assert.deepEqual(
        [first?.label, first?.to, first?.anchor],
        ['Wrong passwords', '/sign-in/passwords', 'lockout'],
        text,
      )
      assert.equal(first?.detail, 'Sign-in settings › Passwords › Lockout')
    }
    const [german] = findSettings('wrong passwords', 'de', owner)
    assert.equal(german?.label, 'Falsche Passwörter')
  })

  test('finds pages and where something is created, the language of the user first', () => {
    assert.deepEqual(findPages('organi', 'en', owner)[0]?.to, '/organizations')
    assert.deepEqual(findPages('Webschlüssel', 'en', owner)[0]?.to, '/web-keys')
    assert.deepEqual(findPages('create user', 'en', owner)[0]?.to, '/users/new')
  })

  test('finds only what the user may read', () => {
    assert.deepEqual(findPages('mail', 'en', visitor), [])
    assert.deepEqual(findSettings('tokens', 'en', visitor), [])
    const paths = (text: string) => findPages(text, 'en', orgOwner).map(({ to }) => to)
    assert.deepEqual(paths('web keys'), [])
    assert.deepEqual(paths('create organization'), [])
    assert.deepEqual(paths('create project'), ['/projects/new'])
    assert.deepEqual(findSettings('access tokens', 'en', orgOwner), [])
  })

  test('knows only pages that exist, and names every setting in every language', async () => {
    const routes = new Set(await declaredRoutes())
    for (const { to } of [...PAGES, ...SETTINGS, ...TASKS]) assert.ok(routes.has(to), to)
    for (const { to, anchor, names } of SETTINGS) {
      const [english, ...others] = (['en', 'de', 'fr'] as const).map((language) => names(language))
      for (const other of others) assert.equal(other.length, english?.length, `${to}#${anchor}`)
    }
    const places = SETTINGS.map(({ to, anchor }) => `${to}#${anchor}`)
    assert.equal(new Set(places).size, places.length)
  })
})
