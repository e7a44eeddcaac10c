/** The commit that this server was built from. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What a build has written into its package.json. */
interface Build {
  readonly commit?: string
  /** The folder of the checkout, where the build is part of one. */
  readonly checkout?: string
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

/** The folder with the state of this checkout, and the one with its branches: they differ in a worktree. */
function gitFolders(checkout: string): readonly [string, string] {
  const dotGit = resolve(checkout, '.git')
  const pointer = read(dotGit)?.match(/^gitdir: (.+)$/)?.[1]
  if (pointer === undefined) return [dotGit, dotGit]
  const own = resolve(checkout, pointer)
  const common = read(resolve(own, 'commondir'))
  return [own, common === undefined ? own : resolve(own, common)]
}

/** The commit of a checkout; undefined when the folder is none. Reads Git's files, so that Git need not be installed. */
export function readCheckedOutCommit(checkout: string): string | undefined {
  const [own, common] = gitFolders(checkout)
  const head = read(resolve(own, 'HEAD'))
  const branch = head?.match(/^ref: (.+)$/)?.[1]
  if (branch === undefined) return head
  const packed = () =>
    read(resolve(common, 'packed-refs'))
      ?.split('\n')
      .find((line) => line.endsWith(` ${branch}`))
      ?.split(' ')[0]
  return read(resolve(own, branch)) ?? read(resolve(common, branch)) ?? packed()
}

/** The commit of a folder, as its package.json, the checkout that it is part of, or Git says; undefined when none does. */
export function readCommit(folder = ROOT): string | undefined {
  const { commit, checkout } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as Build
  if (commit !== undefined) return commit
  return checkout === undefined ? readCheckedOutCommit(folder) : readCommit(resolve(folder, checkout))
}
