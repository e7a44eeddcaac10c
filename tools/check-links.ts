/** Reports links in the documentation to files, or to headings of them, that do not exist. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Text in fences and in backquotes only shows what a link looks like. */
function prose(text: string): string {
  return text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '').replaceAll(/`[^`\n]*`/g, '``')
}

/** The names that a heading gets on the usual sites: small letters, hyphens for spaces, no punctuation. */
function headingsOf(file: string): ReadonlySet<string> {
  const text = readFileSync(file, 'utf8').replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}

function problemOf(page: string, link: string): string | undefined {
  const [path = '', heading] = decodeURI(link).split('#')
  const target = path === '' ? join(root, page) : resolve(root, dirname(page), path)
  if (!existsSync(target)) return `${page} links to ${link}, which does not exist`
  const isMissing = heading !== undefined && statSync(target).isFile() && !headingsOf(target).has(heading)
  return isMissing ? `${page} links to ${link}, but there is no such heading` : undefined
}

const pages = globSync(['*.md', '{docs,deploy}/**/*.md', '{console,examples,bench,faults,test}/*.md'], {
  cwd: root,
  // The pages again, as the build copies them.
  exclude: ['docs/dist/**'],
})
export const problems = pages.sort().flatMap((page) => {
  const text = prose(readFileSync(join(root, page), 'utf8'))
  const links = [...text.matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, link = '']) => link)
  const inside = links.filter((link) => !/^[a-z]+:/.test(link))
  return inside.map((link) => problemOf(page, link)).filter((problem) => problem !== undefined)
})

if (import.meta.main) reportProblems(problems)
