/**
 * Every sentence of the pages, emails and text messages is there in every language, and is a translation: it differs from
 * the English one, and keeps its values, numbers, placeholders and names.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { BUILT_IN, labelsIn } from '../features/mail/built-in-texts.ts'
import { smsTextsIn } from '../features/sms/texts.ts'
import { LANGUAGE_TAGS, type Language } from '../kernel/languages.ts'
import { textsIn } from './language.ts'

/** Sentences that read like the English ones, and why. */
const ALIKE: Readonly<Partial<Record<Language, Readonly<Record<string, string>>>>> = {
  de: {
    Passkeys: 'the German word',
    Name: 'the German word',
    Code: 'the German word',
  },
  fr: {
    Code: 'the French word',
    Date: 'the French word',
    Documentation: 'the French word',
  },
  it: {
    Password: 'the Italian word',
  },
  nl: {
    Passkeys: 'the Dutch word',
    Code: 'the Dutch word',
  },
}

/** Names that no language translates. */
const NAMES =
  /Signet|SIGNET_\w+|signet [a-z-]+|https?:\/\/(?:localhost)?|admin\.pat|inbox-key|JavaScript|PNG|JPEG|WebP|JSON|OpenAPI|\{\{\.\w+\}\}|\d+/g

/** Counts of three forms of the plural (one, few, many in Polish), which also stand for names and addresses. */
const COUNTS = [1, 2, 5] as const

/** Every sentence by its path; a function becomes one sentence for each count. */
function sentencesOf(value: unknown, path = ''): readonly (readonly [path: string, sentence: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    return COUNTS.map((count) => [`${path}(${count})`, String(value(new Proxy({}, { get: () => count })))])
  }
  assert.ok(typeof value === 'object' && value !== null, path)
  return Object.entries(value).flatMap(([name, one]) => sentencesOf(one, path === '' ? name : `${path}.${name}`))
}

const namesIn = (sentence: string) => (sentence.match(NAMES) ?? []).sort()

function problemWith(sentence: string, english: string, alike: Readonly<Record<string, string>>): string | undefined {
  if (sentence.trim() === '' || sentence !== sentence.trim()) return 'is empty, or has space around it'
  const isSame = sentence === english && /\p{L}/u.test(sentence)
  if (isSame && alike[sentence] === undefined) return 'is not translated'
  const [own, expected] = [namesIn(sentence).join(' '), namesIn(english).join(' ')]
  return own === expected ? undefined : `holds ${own} instead of ${expected}`
}

const groups = {
  pages: textsIn,
  emails: (language: Language) => ({ ...BUILT_IN[language], labels: labelsIn(language) }),
  'text messages': smsTextsIn,
} as const

for (const [group, textsOf] of Object.entries(groups)) {
  suite(`the ${group}`, () => {
    const english = new Map(sentencesOf(textsOf('en')))
    for (const language of LANGUAGE_TAGS.filter((tag) => tag !== 'en')) {
      test(`are complete in ${language}, and translated`, () => {
        const sentences = new Map(sentencesOf(textsOf(language)))
        assert.deepEqual([...sentences.keys()].sort(), [...english.keys()].sort())
        const problems = [...sentences].map(([path, sentence]) => {
          const problem = problemWith(sentence, english.get(path) ?? '', ALIKE[language] ?? {})
          return problem && `${path} ${problem}: ${sentence}`
        })
        assert.deepEqual(problems.filter(Boolean), [])
      })
    }
  })
}

test('a sentence counts as alike only where it is', () => {
  for (const [language, alike] of Object.entries(ALIKE)) {
    const all = Object.values(groups).flatMap((textsOf) => sentencesOf(textsOf(language as Language)))
    const english = new Map(Object.values(groups).flatMap((textsOf) => sentencesOf(textsOf('en'))))
    for (const sentence of Object.keys(alike)) {
      assert.ok(
        all.some(([path, one]) => one === sentence && english.get(path) === sentence),
        `${language} ${sentence}`,
      )
    }
  }
})

test('a text message fits into one', () => {
  // The alphabet of GSM 03.38; a text with any other character is sent as UTF-16, and is full after 70.
  const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/
  for (const language of LANGUAGE_TAGS) {
    for (const [type, text] of Object.entries(smsTextsIn(language))) {
      const sentence = text({ code: '12345678' })
      assert.ok(
        sentence.length <= (gsm.test(sentence) ? 160 : 70),
        `${language} ${type}: ${sentence.length} characters`,
      )
    }
  }
})
