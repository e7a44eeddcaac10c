/** The folder of a project: what it is, read and never run. */
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { Found } from './flags.ts'
import { FRAMEWORK_NAMES, FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'
import { EXIT, Problem, printable } from './problem.ts'

const LONGEST = 1024 * 1024

function textOf(file: string): string {
  const state = statSync(file, { throwIfNoEntry: false })
  return state?.isFile() && state.size <= LONGEST ? readFileSync(file, 'utf8') : ''
}

/** What a package.json says, without trusting it. */
function manifestOf(folder: string): { readonly name: string; readonly dependencies: readonly string[] } {
  try {
    const { name, dependencies, devDependencies } = JSON.parse(textOf(join(folder, 'package.json')))
    const named = Object.keys({ ...dependencies, ...devDependencies })
    return { name: typeof name === 'string' ? name : '', dependencies: named }
  } catch {
    return { name: '', dependencies: [] }
  }
}

function isOf(folder: string, name: FrameworkName): boolean {
  const { detect } = FRAMEWORKS[name]
  if (detect === undefined) return false
  const file = detect.file.startsWith('*')
    ? readdirSync(folder).find((one) => one.endsWith(detect.file.slice(1)))
    : detect.file
  if (file === undefined || !existsSync(join(folder, file))) return false
  if (detect.names.length === 0) return true
  if (file === 'package.json') return detect.names.some((one) => manifestOf(folder).dependencies.includes(one))
  const text = textOf(join(folder, file))
  return detect.names.some((one) => text.includes(one))
}

/** What the folder says about itself. Of several frameworks, the one that names a word is meant: Next.js has React, too. */
export function findProject(dir: string): Found {
  const folder = resolve(dir)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Problem(`--dir: ${printable(dir)} is no folder.`, EXIT.wrong)
  const fitting = FRAMEWORK_NAMES.filter((name) => isOf(folder, name))
  const framework = fitting.find((name) => FRAMEWORKS[name].detect?.names.length !== 0) ?? fitting[0]
  const name = printable(manifestOf(folder).name.trim() || basename(folder)) || 'My app'
  return { framework, name }
}

/** Whether Git has a file in its index, read as bytes: a program of Git could run what the repository configures. */
export function isInGit(file: string): boolean {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    const index = join(folder, '.git', 'index')
    if (existsSync(index)) {
      const bytes = readFileSync(index)
      const path = Buffer.from(relative(folder, resolve(file)).replaceAll('\\', '/'))
      // Version 4 leaves out what a path has in common with the one before it: the end of the path must do.
      if (bytes.readUInt32BE(4) === 4) return bytes.includes(`${basename(file)}\0`)
      for (let at = bytes.indexOf(path); at !== -1; at = bytes.indexOf(path, at + 1)) {
        const isWhole = bytes[at + path.length] === 0 && (bytes.readUInt16BE(at - 2) & 0xfff) === path.length
        if (isWhole) return true
      }
      return false
    }
    if (dirname(folder) === folder) return false
  }
}

/** Whether a file, or a folder above it in the project, is a link: what is written through it lands elsewhere. */
export function isLinked(folder: string, file: string): boolean {
  for (let place = join(folder, file); place !== resolve(folder); place = dirname(place))
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return true
  return false
}
