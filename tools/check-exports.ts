/**
 * Reports what is exported for nobody: a name in the `index.ts` of a module or room that no file imports from it, and a
 * function, class or constant of a file that no other file imports. What only its own file uses needs no `export`.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reportProblems } from './problems.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Exported {
  readonly name: string
  /** Where it is declared, when this file only passes it on. */
  readonly from?: { readonly file: string; readonly name: string }
  readonly isType: boolean
}

function targetOf(file: string, path: string): string {
  return normalize(join(dirname(file), path))
}

/** `a`, `type a`, `a as b`: the name there, and the name here. */
function namesOf(list: string): readonly { readonly there: string; readonly here: string; readonly isType: boolean }[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [there = '', here = there] = one.replace(/^type\s+/, '').split(/\s+as\s+/)
      return { there, here, isType: one.startsWith('type ') }
    })
}

/** Code without comments: examples in them import nothing. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replaceAll(/^\s*(?:\/\*\*?[\s\S]*?\*\/|\/\/.*)$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
}

function exportsOf(file: string, code: string): readonly Exported[] {
  const found: Exported[] = []
  for (const [, type, list = '', path] of code.matchAll(/^export (type )?\{([^}]*)\}(?: from '([^']+)')?/gm)) {
    for (const { there, here, isType } of namesOf(list)) {
      const from = path === undefined ? {} : { from: { file: targetOf(file, path), name: there } }
      found.push({ name: here, isType: isType || type !== undefined, ...from })
    }
  }
  const declared = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class) ([A-Za-z_$][\w$]*)/gm
  for (const [, name = ''] of code.matchAll(declared)) found.push({ name, isType: false })
  return found
}

/** Whose names are used, as `file name`; all names of a file as `file *`. */
function usesOf(file: string, code: string): readonly string[] {
  const used: string[] = []
  for (const [, list = '', path = ''] of code.matchAll(/^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)) {
    for (const { there } of namesOf(list)) used.push(`${targetOf(file, path)} ${there}`)
  }
  for (const [, name = '', path = ''] of code.matchAll(/^import (?:type )?\* as (\w+) from '(\.[^']+)'/gm)) {
    const members = [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, member]) => member)
    for (const member of members) used.push(`${targetOf(file, path)} ${member}`)
    if (new RegExp(`\\b${name}\\b(?!\\.)(?! from)`).test(code.replaceAll(/^import .*$/gm, '')))
      used.push(`${targetOf(file, path)} *`)
  }
  for (const [, path = ''] of code.matchAll(/^export \* from '(\.[^']+)'/gm)) used.push(`${targetOf(file, path)} *`)
  return used
}

const files = globSync(
  [
    '{src,test,tools,bench,faults,examples,console/src,console/build,docs/.vitepress}/**/*.{ts,tsx,js,mjs}',
    '*.{ts,js}',
  ],
  { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] },
)
const codes = new Map(files.sort().map((file) => [file, codeOf(file)]))
const uses = new Set<string>()
/** The files that are loaded when they are first needed. */
const loadedLater = new Set<string>()
for (const [file, code] of codes) {
  for (const use of usesOf(file, code)) uses.add(use)
  for (const [, path = ''] of code.matchAll(/\bimport\(\s*'(\.[^']+)'\s*\)/g)) loadedLater.add(targetOf(file, path))
}

function isUsed(file: string, name: string): boolean {
  if (uses.has(`${file} ${name}`) || uses.has(`${file} *`)) return true
  if (!loadedLater.has(file)) return false
  // Whoever loads it passes it on: each word of another file may be a name of it.
  const word = new RegExp(`\\b${name}\\b`)
  return [...codes].some(([other, code]) => other !== file && word.test(code))
}

export const problems: string[] = []
for (const [file, code] of codes) {
  if (!file.startsWith('src/') || /\.(?:test|d)\.ts$/.test(file)) continue
  for (const { name, isType, from } of exportsOf(file, code)) {
    if (isUsed(file, name)) continue
    if (from !== undefined) problems.push(`${file} exports ${name}, which nobody imports from it`)
    else if (!isType) problems.push(`${file} exports ${name}, which no other file imports`)
  }
}
if (import.meta.main) reportProblems(problems)
