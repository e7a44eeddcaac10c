/** Says which files of ours have grown too long to be read in one sitting. Generated code is not ours to shorten. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const limit = 300

const files = globSync(['{src,test,bench,tools,console}/**/*.{ts,js,css}', 'contract/proto/**/*.proto'], { cwd: root })
for (const file of files.sort()) {
  const lines = readFileSync(`${root}/${file}`, 'utf8').split('\n').length - 1
  if (lines <= limit) continue
  console.error(`${file} has ${lines} lines, more than ${limit}`)
  process.exitCode = 1
}
