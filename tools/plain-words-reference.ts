/**
 * tools/plain-words.txt: how often the words occur that CONTRIBUTING.md wants rewritten. The numbers only fall: `npm run gen`
 * writes smaller ones, and fails, like `npm run check`, where there are more than before.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { GeneratedFile } from './generated-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const PATH = 'tools/plain-words.txt'

/** Each of them by name, with what to write instead. */
export const WORDS = {
  'goes on': { pattern: /\b(?:go|goes|going|went) on\b/gi, instead: 'continues, keeps' },
  'that of, those of': { pattern: /\b(?:that|those) of\b/gi, instead: 'the name of the thing again, or “’s”' },
  whom: { pattern: /\bwhom\b/gi, instead: 'who, that' },
  'for good': { pattern: /\bfor good\b/gi, instead: 'permanently' },
  'hears of': { pattern: /\b(?:hear|hears|heard) of\b/gi, instead: 'learns of, is notified' },
  'is told of': { pattern: /\b(?:is|are|was|were|be) told of\b/gi, instead: 'is notified' },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly instead: string }>>

/** How often each of them occurs in these texts. */
export function countWords(texts: readonly string[]): Readonly<Record<string, number>> {
  const all = texts.join('\n')
  return Object.fromEntries(Object.entries(WORDS).map(([name, { pattern }]) => [name, all.match(pattern)?.length ?? 0]))
}

/** Which of them occur more often than before. */
export function moreThanBefore(counts: Readonly<Record<string, number>>, before: string): readonly string[] {
  return Object.entries(WORDS).flatMap(([name, { instead }]) => {
    const most = new RegExp(`^${name}: (\\d+)$`, 'm').exec(before)?.[1]
    const isMore = most !== undefined && (counts[name] ?? 0) > Number(most)
    return isMore ? [`“${name}” occurs ${counts[name]} times instead of ${most}; write ${instead}`] : []
  })
}

function textsOfRepository(): readonly string[] {
  const files = globSync(
    [
      '{src,console/src,test,bench,faults,examples}/**/*.{ts,tsx,js}',
      'tools/**/*.ts',
      'contract/proto/**/*.proto',
      '*.md',
      '{docs,console,examples}/**/*.md',
    ],
    {
      cwd: root,
      // The page that says what to write instead names them.
      exclude: [
        '**/node_modules',
        '**/dist',
        'docs/reference',
        'docs/explanation/how-we-write.md',
        'CHANGELOG.md',
        'tools/{,tests/}plain-words*',
      ],
    },
  )
  return files.map((file) => readFileSync(`${root}/${file}`, 'utf8'))
}

function writtenPage(): GeneratedFile {
  const counts = countWords(textsOfRepository())
  const before = existsSync(`${root}/${PATH}`) ? readFileSync(`${root}/${PATH}`, 'utf8') : ''
  const more = moreThanBefore(counts, before)
  if (more.length > 0) throw new Error(more.join('\n'))
  const lines = Object.entries(counts).map(([name, count]) => `${name}: ${count}\n`)
  return { path: PATH, text: lines.join('') }
}

export const page: GeneratedFile = writtenPage()
