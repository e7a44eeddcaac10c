/** A file of the repository that is written from the code: `npm run gen` writes it, `npm run check` compares it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

function urlOf({ path }: GeneratedFile): URL {
  return new URL(`../${path}`, import.meta.url)
}

export function writeGenerated(file: GeneratedFile): void {
  writeFileSync(urlOf(file), file.text)
}

/** What is wrong with the file as it is now: nothing, or that it is stale. */
export function problemsOf(file: GeneratedFile): readonly string[] {
  const url = urlOf(file)
  const isFresh = existsSync(url) && readFileSync(url, 'utf8') === file.text
  return isFresh ? [] : [`${file.path} is stale: run npm run gen`]
}

/** A Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n')
}
