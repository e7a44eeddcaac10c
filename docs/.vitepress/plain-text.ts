/** The pages as text, for coding agents: each as Markdown beside its HTML, a list of them, and all of them in one file. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readSections } from './sections.ts'

/** What a reader needs to use and run the server; decisions and the list of all methods are in the list alone. */
const IN_FULL =
  /^(index|architecture|(guides|how-to|explanation)\/|reference\/(configuration|frameworks|scopes-and-claims))/

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** The first sentence after the title. */
function summaryOf(text: string): string {
  const first = text.replace(/^# .*\n+/, '').split(/\n\s*\n/)[0] ?? ''
  const plain = first.replaceAll(/\s+/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^[<|#-]/.test(plain) ? '' : (/^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.').slice(0, 300)
}

/** Writes them into the folder of the build, which is served at `path`. */
export function writePlainText(docs: string, into: string, path: string): void {
  const files = globSync('{*.md,{guides,how-to,reference,explanation,decisions}/*.md}', { cwd: docs }).sort()
  const pages = files.map((file) => ({ file, text: readFileSync(join(docs, file), 'utf8') }))
  for (const { file, text } of pages) {
    mkdirSync(dirname(join(into, file)), { recursive: true })
    writeFileSync(join(into, file), text)
  }
  const lineOf = ({ file, text }: (typeof pages)[number]) => {
    const summary = summaryOf(text)
    return `- [${titleOf(text)}](${path}/${file})${summary === '' ? '' : `: ${summary}`}`
  }
  const decisions = files.filter((file) => file.startsWith('decisions/'))
  const parts = [
    { title: 'Overview', files: ['index.md'] },
    ...readSections(docs).map(({ title, pages }) => ({ title, files: pages.map((page) => `${page}.md`) })),
    { title: 'Decisions', files: decisions },
  ]
  const lists = parts.map(({ title, files }) => {
    const lines = files.flatMap((file) => pages.filter((page) => page.file === file)).map(lineOf)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  const about =
    'Signet is an identity server: organizations, users, passkeys, sessions, permissions and OpenID Connect.'
  const search =
    'Search these pages by the Model Context Protocol at /mcp/docs; all guides in one file are at /llms-full.txt.'
  writeFileSync(join(into, 'llms.txt'), `# Signet\n\n> ${about}\n\n${search}\n\n${lists.join('\n')}`)
  const full = pages
    .filter(({ file }) => IN_FULL.test(file))
    .map(({ file, text }) => `<!-- ${path}/${file} -->\n${text}`)
  writeFileSync(join(into, 'llms-full.txt'), full.join('\n'))
}
