/** What the search finds. */
import type { IconName } from '../../parts/icon-paths.ts'
import type { ShellTexts } from '../texts/en.ts'

export type FoundGroup = Exclude<keyof ShellTexts['search']['groups'], 'recent'>

export interface Found {
  /** Different for everything that can be found. */
  readonly key: string
  readonly group: FoundGroup
  readonly label: string
  /** What tells it from others of the same name. */
  readonly detail: string
  readonly icon: IconName
  /** Its address in the console; of a page of the documentation, that on the server. */
  readonly to: string
  /** The section of the page. */
  readonly anchor?: string
}

export interface FoundIn {
  readonly group: FoundGroup | 'recent'
  readonly found: readonly Found[]
}

/** Small letters without accents: "Clés" is found by "cles". */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** How well a name matches: 2 when it begins with the text, 1 when it contains every word of it, 0 when it does not. */
export function rankOf(name: string, text: string): 0 | 1 | 2 {
  const [has, wanted] = [plain(name), plain(text).trim()]
  if (wanted === '') return 0
  if (has.startsWith(wanted)) return 2
  return wanted.split(/\s+/).every((word) => has.includes(word)) ? 1 : 0
}

const ENOUGH_LETTERS = 2

/** How well a word that people use for a place matches: what is typed names it, begins it, or speaks of it. */
function rankOfWord(word: string, text: string): 0 | 1 | 3 | 5 {
  const [has, wanted] = [plain(word), plain(text).trim().replace(/\s+/g, ' ')]
  if (wanted.length < ENOUGH_LETTERS) return 0
  if (has === wanted) return 5
  if (has.startsWith(wanted)) return 3
  return ` ${wanted} `.includes(` ${has} `) ? 3 : has.includes(` ${wanted}`) ? 1 : 0
}

/** How well the best of the words matches. */
export function rankOfWords(words: readonly string[], text: string): number {
  return Math.max(0, ...words.map((word) => rankOfWord(word, text)))
}
