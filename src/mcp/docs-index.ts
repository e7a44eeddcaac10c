/** The pages of the documentation as text, found by their words. They are listed once; no path of a request reaches the disk. */
import { readdirSync, readFileSync } from 'node:fs'

/** A part of a page, from one heading to the next. */
interface Section {
  readonly page: string
  readonly title: string
  readonly heading: string
  readonly text: string
}

export interface FoundSection {
  readonly page: string
  readonly title: string
  readonly heading: string
  readonly excerpt: string
}

export interface DocsIndex {
  search(query: string, limit: number): readonly FoundSection[]
  /** The text of a page; undefined when there is none of that name. */
  page(name: string): string | undefined
}

const MOST_WORDS = 20
const EXCERPT = 300
const PIECE = 2000
/** A word in a heading says more about a section than one in its text. */
const IN_HEADING = 8

function wordsOf(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\d]+(?:[._-][\p{L}\d]+)*/gu) ?? []
  return words.flatMap((word) => [word, ...(/[._-]/.test(word) ? word.split(/[._-]/) : [])]).map(stemOf)
}

function stemOf(word: string): string {
  return word.length > 3 ? word.replace(/(?:es|s)$/, '') : word
}

/** A long table has every word somewhere: its pieces are compared with sections, and not the whole of it. */
function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(`[^]{1,${PIECE}}(?:\\n|$)|[^]{1,${PIECE}}`, 'g')) ?? []
}

function sectionsOf(page: string, text: string): readonly Section[] {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? page
  return text
    .split(/^(?=#{1,3} )/m)
    .filter((part) => part.trim() !== '')
    .flatMap((part) => {
      const heading = /^#+ (.+)$/m.exec(part)?.[1] ?? title
      return piecesOf(part).map((piece) => ({ page, title, heading, text: piece }))
    })
}

function excerptOf({ text }: Section, words: ReadonlySet<string>): string {
  const body = text
    .replace(/^#.*\n/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const first = [...body.matchAll(/[\p{L}\d]+/gu)].find(([word]) => words.has(stemOf(word.toLowerCase())))
  const from = Math.max(0, (first?.index ?? 0) - 80)
  return body.slice(from, from + EXCERPT)
}

/** Reads the pages below a folder; undefined when there are none. */
export function openDocsIndex(folder: URL): DocsIndex | undefined {
  const pages = new Map<string, string>()
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.md')) pages.set(name.replaceAll('\\', '/'), readFileSync(new URL(name, folder), 'utf8'))
  } catch {
    return undefined
  }
  const sections = [...pages].flatMap(([page, text]) => sectionsOf(page, text))
  /** Which sections have a word, and how much it says about them. */
  const places = new Map<string, Map<number, number>>()
  const add = (word: string, section: number, weight: number) => {
    const known = places.get(word) ?? new Map<number, number>()
    known.set(section, Math.min((known.get(section) ?? 0) + weight, 2 * IN_HEADING))
    places.set(word, known)
  }
  for (const [index, { title, heading, text }] of sections.entries()) {
    for (const word of wordsOf(text)) add(word, index, 1)
    for (const word of wordsOf(`${title} ${heading}`)) add(word, index, IN_HEADING)
  }
  return {
    search(query, limit) {
      const words = new Set(wordsOf(query).slice(0, MOST_WORDS))
      const scores = new Map<number, number>()
      for (const word of words) {
        const found = places.get(word)
        // A word that is everywhere says nothing.
        if (found === undefined || (words.size > 1 && found.size > sections.length / 3)) continue
        const rarity = Math.log(1 + sections.length / found.size)
        for (const [section, weight] of found)
          scores.set(section, (scores.get(section) ?? 0) + rarity * (1 + Math.log(weight)))
      }
      return [...scores]
        .sort(([, a], [, b]) => b - a)
        .slice(0, limit)
        .flatMap(([index]) => {
          const section = sections[index]
          if (section === undefined) return []
          const { page, title, heading } = section
          return [{ page, title, heading, excerpt: excerptOf(section, words) }]
        })
    },
    page: (name) => pages.get(name),
  }
}
