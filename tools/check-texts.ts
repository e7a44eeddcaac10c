/**
 * Says where a language differs from English: keys and values that are missing or too many, plurals without a form that whole
 * numbers take there; and which keys nobody reads. A catalogue is an `en.ts` with the other languages beside it as JSON.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES as CONSOLE_LANGUAGES } from '../console/src/texts/languages.ts'
import { LANGUAGES } from '../src/kernel/languages.ts'
import { readSentence } from '../src/kernel/sentences.ts'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Parts = ReturnType<typeof readSentence>

/** The sentences of a tree by their paths. */
export function sentencesOf(texts: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof texts === 'string') return new Map([[path, texts]])
  const inner = Object.entries(texts as object)
  return new Map(inner.flatMap(([name, one]) => [...sentencesOf(one, path === '' ? name : `${path}/${name}`)]))
}

/** Texts of mails keep placeholders of their own, because administrators write them too. */
function read(text: string): Parts {
  if (!text.includes('{{.')) return readSentence(text)
  return [...text.matchAll(/\{\{\.(\w+)\}\}/g)].map(([, name = '']) => ({ name, isNumber: false }))
}

function valuesIn(parts: Parts): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string') return []
    const inner = 'forms' in part ? [...part.forms.values()].flatMap(valuesIn) : []
    return [part.name, ...inner]
  })
}

const nameList = (names: Iterable<string>) => [...new Set(names)].sort().join(', ')

/** The forms that whole numbers take in a language. Where none takes `other`, it stands for `many`, as in Polish. */
function formsIn(language: string): readonly string[] {
  const rules = new Intl.PluralRules(language)
  const all = new Set(Array.from({ length: 201 }, (_, number): string => rules.select(number)))
  if (!all.has('other')) all.delete('many')
  return [...all]
}

/** What is missing in the plurals of a sentence. */
function pluralProblems(parts: Parts, language: string): readonly string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('forms' in part)) return []
    const varies = part.isPlural && [...part.forms.keys()].some((form) => form !== 'other' && !form.startsWith('='))
    const missing = varies ? formsIn(language).filter((form) => !part.forms.has(form)) : []
    const inner = [...part.forms.values()].flatMap((form) => pluralProblems(form, language))
    return [...missing.map((form) => `has no form “${form}” for {${part.name}}`), ...inner]
  })
}

/** What is wrong with one sentence in a language, next to the English one. */
function sentenceProblems(text: string, english: string, language: string): readonly string[] {
  const [parts, expected] = [read(text), read(english)]
  const [own, needed] = [nameList(valuesIn(parts)), nameList(valuesIn(expected))]
  const values = own === needed ? [] : [`has the values (${own}) instead of (${needed})`]
  return [...values, ...pluralProblems(parts, language)]
}

/** What is wrong with a language, next to English. */
export function translationProblems(english: unknown, texts: unknown, language: string): readonly string[] {
  const [expected, own] = [sentencesOf(english), sentencesOf(texts)]
  const missing = [...expected.keys()].filter((path) => !own.has(path)).map((path) => `${path} is missing`)
  const found = [...own].flatMap(([path, text]) => {
    const wanted = expected.get(path)
    if (wanted === undefined) return [`${path} is not in English`]
    return sentenceProblems(text, wanted, language).map((problem) => `${path} ${problem}`)
  })
  return [...missing, ...found]
}

/** What the programs that could read a catalogue say. */
interface Readers {
  /** The words of each file. */
  readonly files: readonly ReadonlySet<string>[]
  /** Whether a key is looked up: it is in quotes somewhere, is the key of another table, or is put together. */
  isLookedUp(key: string): boolean
}

/** The keys of a tree that no file names together with what they are in, and that are not looked up. */
export function unusedKeys(english: unknown, { files, isLookedUp }: Readers): readonly string[] {
  const paths = new Set([...sentencesOf(english).keys()].map((path) => path.replace(/(\/\d+)+$/, '')))
  return [...paths].filter((path) => {
    const names = path.split('/').slice(-2)
    return !files.some((words) => names.every((name) => words.has(name))) && !isLookedUp(names.at(-1) ?? '')
  })
}

const sources = globSync(['src/**/*.ts', 'console/src/**/*.{ts,tsx}'], { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !/(^|\/)texts\//.test(file),
)

const codes = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const allCode = [...codes.values()].join('\n')
const tableKeys = new Set([...allCode.matchAll(/['\s{]([\w.-]+)'?:/g)].map(([, key = '']) => key))
const endings = new Set([...allCode.matchAll(/\$\{\w+\}(\w+)`/g)].map(([, ending = '']) => ending))

function isLookedUp(key: string): boolean {
  return allCode.includes(`${key}'`) || tableKeys.has(key) || [...endings].some((ending) => key.endsWith(ending))
}

/** The programs that read a catalogue: the whole server, or the pages of the console that are beside it or import it. */
function readersOf(folder: string): Readers {
  const place = `${basename(dirname(folder))}/${basename(folder)}/`
  const isReader = ([file, code]: readonly [string, string]) =>
    !folder.startsWith('console/') || file.startsWith(`${dirname(folder)}/`) || code.includes(place)
  const files = [...codes].filter(isReader).map(([, code]) => new Set(code.match(/[\w$]+/g)))
  return { files, isLookedUp }
}

async function problemsOfCatalogue(file: string): Promise<readonly string[]> {
  const folder = dirname(file)
  const { en }: { en: unknown } = await import(`../${file}`)
  const languages = Object.keys(file.startsWith('console/') ? CONSOLE_LANGUAGES : LANGUAGES)
  const found = languages.flatMap((language) => {
    const path = `${folder}/${language}.json`
    const texts = language === 'en' ? en : JSON.parse(readFileSync(join(root, path), 'utf8'))
    return translationProblems(en, texts, language).map((problem) => `${language === 'en' ? file : path}: ${problem}`)
  })
  const unused = unusedKeys(en, readersOf(folder)).map((path) => `${file}: nobody reads ${path}`)
  return [...found, ...unused]
}

const catalogues = globSync('{src,console/src}/**/en.ts', { cwd: root })
  .sort()
  .filter((file) => globSync(`${dirname(file)}/*.json`, { cwd: root }).length > 0)

export const problems = (await Promise.all(catalogues.map(problemsOfCatalogue))).flat()

if (import.meta.main) reportProblems(problems)
