/** The search of the console: pages and settings by their names, in every language and only what the user may read. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { permissionsOf } from '../../console/src/access/permissions.ts'
import { GUIDES } from '../../console/src/places/guides.ts'
import { PAGES } from '../../console/src/places/pages.ts'
import { SETTINGS, TASKS } from '../../console/src/places/settings.ts'
import { PLACES_WITH_WORDS, wordsFor } from '../../console/src/places/words.ts'
import { findPages, findPlaces, findSettings } from '../../console/src/shell/search/find-places.ts'
import { rankOf } from '../../console/src/shell/search/found.ts'
import { readSections } from '../../docs/.vitepress/sections.ts'
import { PATHS } from '../../src/kernel/page-paths.ts'
import { declaredRoutes } from '../e2e/console-pages.ts'
import { QUESTIONS } from './search-questions.ts'

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url))

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

  test('answers 100 questions in the words people use with the right page among the first three', () => {
    assert.ok(QUESTIONS.length >= 100, `${QUESTIONS.length} questions`)
    const wrong = QUESTIONS.flatMap(([text, wanted]) => {
      const places = findPlaces(text, 'en', owner, 5).flatMap(({ found }) => found)
      const first = places.slice(0, 3).map(({ to, anchor }) => (anchor === undefined ? to : `${to}#${anchor}`))
      return first.some((place) => place === wanted || place.startsWith(`${wanted}#`)) ? [] : [{ text, wanted, first }]
    })
    assert.deepEqual(wrong, [])
  })

  test('gives words to places that exist, and each word only once to each', async () => {
    const places = new Set([
      ...PAGES.map(({ to }) => to),
      ...TASKS.map(({ to }) => to),
      ...SETTINGS.map(({ to, anchor }) => `${to}#${anchor}`),
    ])
    for (const place of PLACES_WITH_WORDS) {
      assert.ok(places.has(place), place)
      assert.deepEqual([...new Set(wordsFor(place))], wordsFor(place), place)
      for (const word of wordsFor(place)) assert.match(word, /^\S.*\S$/, place)
    }
    // Somebody who may not open a page does not learn by its words that it exists.
    assert.deepEqual(
      findPlaces('smtp', 'en', visitor, 5).flatMap(({ group, found }) => (group === 'guides' ? [] : found)),
      [],
    )
  })

  test('finds every page of the documentation by its heading', () => {
    const pages = readSections(DOCS).flatMap(({ pages }) => pages)
    const left = ['architecture', 'how-to/measure-speed', 'how-to/test-faults', 'how-to/search-for-leaks']
    const wanted = pages.filter((page) => !left.includes(page))
    assert.deepEqual(
      GUIDES.map(({ href }) => href).toSorted(),
      wanted.map((page) => `${PATHS.docs}/${page}`).toSorted(),
    )
    for (const { href, title } of GUIDES) {
      const text = readFileSync(`${DOCS}${href.slice(PATHS.docs.length)}.md`, 'utf8')
      assert.match(text, new RegExp(`^# ${RegExp.escape(title)}$`, 'm'), href)
    }
  })
})
