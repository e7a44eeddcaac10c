/** What is written into a project: nothing that exists is changed, except that settings and .gitignore get new lines. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'
import { EXIT, Problem } from './problem.ts'
import { isInGit, isLinked } from './project.ts'

const SETTINGS = '.env'
const frameworks = fileURLToPath(new URL('./frameworks/', import.meta.url))

export interface FilePlan {
  /** New ones, with their content. */
  readonly write: readonly { readonly name: string; readonly content: string }[]
  /** Those that exist and differ, with what they would be. */
  readonly differ: readonly { readonly name: string; readonly content: string }[]
  /** The names of settings that are there already. */
  readonly set: readonly string[]
}

function existing(folder: string, name: string): string | undefined {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Throws where a file of settings must not be written. */
function requireSafeSettings(folder: string): void {
  if (isLinked(folder, SETTINGS))
    throw new Problem(`${SETTINGS} is a link: the secret would be written elsewhere.`, EXIT.patch)
  if (isInGit(join(folder, SETTINGS)))
    throw new Problem(
      `${SETTINGS} is in Git: the secret would be committed. Remove it there: git rm --cached ${SETTINGS}`,
      EXIT.patch,
    )
}

/** Compares the files of a framework with those of the project. */
export function planFiles(folder: string, framework: FrameworkName): FilePlan {
  requireSafeSettings(folder)
  const write: { name: string; content: string }[] = []
  const differ: { name: string; content: string }[] = []
  for (const name of FRAMEWORKS[framework].files) {
    if (isLinked(folder, name)) throw new Problem(`${name} is a link, or in a folder that is one.`, EXIT.patch)
    const content = `${codeOf(readFileSync(join(frameworks, framework, 'files', name), 'utf8'))}\n`
    const before = existing(folder, name)
    if (before === undefined) write.push({ name, content })
    else if (before !== content) differ.push({ name, content })
  }
  const set = [...(existing(folder, SETTINGS) ?? '').matchAll(/^(?:export )?([A-Z]\w*)=/gm)].map(
    ([, name = '']) => name,
  )
  return { write, differ, set }
}

/** What must be added to a file so that it ends with these lines. */
function appended(before: string | undefined, lines: string): string {
  return before === undefined || before === '' || before.endsWith('\n')
    ? `${before ?? ''}${lines}`
    : `${before}\n${lines}`
}

function isIgnored(text: string): boolean {
  return text.split(/\r?\n/).some((line) => /^\/?\.env\*?$/.test(line.trim()))
}

/** Writes everything or nothing: files are complete before they get their names. */
export function writeProject(folder: string, { write }: Pick<FilePlan, 'write'>, settings: string): void {
  const ignore = existing(folder, '.gitignore')
  const all = [
    ...(isIgnored(ignore ?? '')
      ? []
      : [{ name: '.gitignore', content: appended(ignore, `${SETTINGS}\n`), mode: 0o644 }]),
    ...write.map((file) => ({ ...file, mode: 0o644 })),
    // The last one: whether it has the settings says whether everything was done.
    { name: SETTINGS, content: appended(existing(folder, SETTINGS), settings), mode: 0o600 },
  ]
  const made: string[] = []
  try {
    for (const { name, content, mode } of all) {
      const file = `${join(folder, name)}.signet-new`
      mkdirSync(dirname(file), { recursive: true })
      const opened = openSync(file, 'wx', mode)
      made.push(file)
      try {
        writeSync(opened, content)
        fsyncSync(opened)
      } finally {
        closeSync(opened)
      }
    }
    for (const { name } of all) renameSync(`${join(folder, name)}.signet-new`, join(folder, name))
  } catch (error) {
    for (const file of made) rmSync(file, { force: true })
    throw new Problem(`Nothing was written: ${(error as Error).message}`)
  }
}

/** A file as a patch that adds it, for readers: the old one is theirs to keep. */
export function patchOf({ name, content }: { readonly name: string; readonly content: string }): string {
  const lines = content.trimEnd().split('\n')
  return [`--- a/${name}`, `+++ b/${name}`, ...lines.map((line) => `+${line}`)].join('\n')
}
