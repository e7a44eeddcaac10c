/** Reports files that are too long to be read at once. Generated code is left out; Biome checks the length of functions. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const limit = 400
/** A service is one file, with a sentence, a path and a permission for each method. */
const serviceLimit = 1400

const files = globSync(
  ['{src,test,bench,faults,tools,examples,packages,console}/**/*.{ts,tsx,js,css}', 'contract/proto/**/*.proto'],
  {
    cwd: root,
    exclude: ['console/dist/**', '**/node_modules'],
  },
)
export const problems: string[] = []
for (const file of files.sort()) {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  const lines = text.split('\n').length - 1
  const most = file.endsWith('.proto') && /^service /m.test(text) ? serviceLimit : limit
  if (lines <= most) continue
  problems.push(`${file} has ${lines} lines, more than ${most}`)
}

if (import.meta.main) reportProblems(problems)
