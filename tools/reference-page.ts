/** A page of docs/reference that is written from the code. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Writes the page; when the command line says `--check`, only tells by the exit code whether it is fresh. */
export function writeReferencePage(name: string, tool: string, text: string): void {
  const page = new URL(`../docs/reference/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) {
    writeFileSync(page, text)
  } else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    console.error(`docs/reference/${name} is stale: run node ${tool}`)
    process.exitCode = 1
  }
}

/** A Markdown table. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n')
}
