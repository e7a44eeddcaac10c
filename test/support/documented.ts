/** Code as the documentation shows it, for tests that run it. */
import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The block of a page in a language that contains some words; throws unless there is exactly one. */
export function documented(page: string, language: string, words: string): string {
  const text = readFileSync(new URL(page, root), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.filter(([, name, code = '']) => name === language && code.includes(words))
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks of ${language} with ${words}`)
  return found[0]?.[2] ?? ''
}
