/**
 * test/golden/texts.txt: a digest of every catalogue of texts in every language, with its sentences filled in and its mails
 * rendered. A commit that moves texts around leaves the file as it is; one that changes a text shows where.
 */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventSentences } from '../console/src/events/sentences/all.ts'
import { signInSentence } from '../console/src/sign-ins/sentence.ts'
import { signInWords } from '../console/src/sign-ins/texts/index.ts'
import type { SignIn } from '../contract/gen/signet/sign_in/v1/sign_in_pb.ts'
import { BUILT_IN, labelsIn } from '../src/features/mail/built-in-texts.ts'
import { MESSAGE_TYPES } from '../src/features/mail/message-types.ts'
import { renderMail } from '../src/features/mail/render.ts'
import type { Link } from '../src/features/mail/url-template.ts'
import { smsTextsIn } from '../src/features/sms/texts.ts'
import { LANGUAGE_TAGS, type Language } from '../src/kernel/languages.ts'
import { textsIn } from '../src/web/language.ts'
import type { GeneratedFile } from './generated-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Catalogue = Readonly<Record<string, unknown>>

/** Numbers of each form of the plural, and one that has a separator of thousands. */
const COUNTS = [1, 2, 3, 5, 11, 22, 101, 12345]

/** Values that must be the parts of an address. */
const SAMPLES: Readonly<Record<string, string>> = {
  uri: 'shop:one/two',
  scheme: 'shop:',
  suggestion: 'https://app.example.com/shop:one/two',
  last: 'o',
}

/** The names of the values of a function, without the underscore of unused ones; undefined for what is not a plain list. */
function namesOf(text: string): readonly string[] | undefined {
  const list = /^\(?([\w, ]*)\)? =>/.exec(text)?.[1]
  return list?.split(',').map((name) => name.trim().replace(/^_/, ''))
}

/** How a sentence is said that asks for its values by name. */
function filledByName(sentence: (values: object) => string): readonly string[] {
  const asked = new Set<PropertyKey>()
  const withSample = (sampleOf: (name: string) => unknown): string => {
    const get = (_: object, name: string) => {
      asked.add(name)
      return sampleOf(name)
    }
    return sentence(new Proxy({}, { get }))
  }
  const named = withSample((name) => SAMPLES[name] ?? `<${name}>`)
  const isAboutUri = [...asked].some((name) => Object.hasOwn(SAMPLES, name))
  return isAboutUri ? [named] : [named, ...COUNTS.map((count) => withSample(() => count))]
}

type Sentence = (...values: readonly unknown[]) => string

function filled(sentence: Sentence, english: Sentence): readonly string[] {
  const names = namesOf(english.toString())
  if (names?.[0] === 'values') return filledByName(sentence)
  if (names === undefined || names.includes('rules')) return []
  const withValues = (sampleOf: (name: string) => unknown): string => String(sentence(...names.map(sampleOf)))
  const named = withValues((name) => SAMPLES[name] ?? `<${name}>`)
  return names.includes('uri') ? [named] : [named, ...COUNTS.map((count) => withValues(() => count))]
}

/** The sentences by path; `english` has the names of the values. */
function linesOf(value: unknown, english: unknown, path: string): readonly string[] {
  if (typeof value === 'string') return [`${path} ${value}`]
  if (typeof value === 'function') {
    return filled(value as Sentence, english as Sentence).map((text) => `${path} ${text}`)
  }
  return Object.entries(value as Catalogue).flatMap(([name, one]) =>
    linesOf(one, (english as Catalogue)[name], `${path}.${name}`),
  )
}

function digestOf(lines: readonly string[]): string {
  return createHash('sha256')
    .update([...new Set(lines)].toSorted().join('\n'))
    .digest('hex')
    .slice(0, 16)
}

function rowsOf(name: string, texts: Catalogue): readonly string[] {
  return Object.keys(texts).map((tag) => `${name} ${tag} ${digestOf(linesOf(texts[tag], texts.en, ''))}`)
}

/** What modules of the console export as texts by language, by the name of the export. */
async function consoleCatalogues(): Promise<Catalogue> {
  const files = globSync('console/src/**/*texts{,/**/*}.ts', { cwd: root }).filter(
    (file) => !/\/(en|de|fr)\.ts$/.test(file),
  )
  const modules: readonly Catalogue[] = await Promise.all(files.map((file): Promise<Catalogue> => import(`../${file}`)))
  const all = modules.flatMap((one) => Object.entries(one))
  return Object.fromEntries(all.filter(([, value]) => typeof value === 'object' && value !== null && 'fr' in value))
}

const inEach = (textsOf: (language: Language) => unknown): Catalogue =>
  Object.fromEntries(LANGUAGE_TAGS.map((language) => [language, textsOf(language)]))

const VALUES = {
  displayName: 'Ada Lovelace',
  userName: 'ada',
  organizationName: 'Analytical Engines',
  code: 'ABC123',
  detail: 'a detail',
  link: 'https://id.example.com/link' as Link,
} as const

function mailsIn(language: Language): Catalogue {
  const mails = MESSAGE_TYPES.flatMap((type) =>
    [1, 5, 60, 4320].map((validForMinutes) => [
      `${type}-${validForMinutes}`,
      { ...renderMail(type, language, [], { ...VALUES, validForMinutes }) },
    ]),
  )
  return Object.fromEntries(mails)
}

/** The pages by what their keys begin with. */
function pageAreas(): Catalogue {
  const areas = Object.keys(textsIn('en')).map((area) => [
    `pages.${area}`,
    inEach((language) => ({ text: (textsIn(language) as Catalogue)[area] })),
  ])
  return Object.fromEntries(areas)
}

/** Sentences about sign-ins, which are put together from what is known: every mixture of it. */
function signInsIn(words: Parameters<typeof signInSentence>[1]): readonly string[] {
  const users = [undefined, { displayName: 'Ada' }, { displayName: 'Bob' }]
  const places = [
    [],
    [{ name: 'Shop' }],
    [{ name: 'Shop' }, { name: 'Wiki' }],
    ['A', 'B', 'C'].map((name) => ({ name })),
  ]
  return users.flatMap((user) =>
    places.flatMap((applications) =>
      [0, 1, 2, 3].flatMap((outcome) =>
        [0, 1, 2, 3, 4].map((number) =>
          signInSentence({ user, applications, outcome, method: number, failure: number } as SignIn, words),
        ),
      ),
    ),
  )
}

const signInCatalogue: Catalogue = Object.fromEntries(
  Object.entries(signInWords).map(([tag, words]) => [tag, { text: signInsIn(words) }]),
)

const catalogues: Catalogue = {
  ...pageAreas(),
  mails: inEach(mailsIn),
  'mails.texts': inEach((language) => ({ ...BUILT_IN[language], labels: labelsIn(language) })),
  sms: inEach(smsTextsIn),
  ...(await consoleCatalogues()),
  events: eventSentences,
  signIns: signInCatalogue,
}

const rows = Object.entries(catalogues)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .flatMap(([name, texts]) => rowsOf(name, texts as Catalogue))

export const page: GeneratedFile = { path: 'test/golden/texts.txt', text: `${rows.join('\n')}\n` }
