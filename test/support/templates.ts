/**
 * Databases that are prepared once and copied for each test. The runner names a folder for those of a run, which all its
 * processes share; a file that is run by hand has its own.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The variable by which the runner passes the folder to the test processes. */
export const templatesVariable = 'SIGNET_TEST_TEMPLATES'

let ownFolder: string | undefined

function folderOfRun(): string {
  const given = process.env[templatesVariable]
  if (given) return given
  if (ownFolder !== undefined) return ownFolder
  const folder = mkdtempSync(join(tmpdir(), 'signet-templates-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  ownFolder = folder
  return folder
}

const known = new Map<string, Promise<string>>()

/** The folder of a template, which is filled at its first use in a run. */
export function templateFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const found = known.get(name) ?? findOrMake(name, fill)
  known.set(name, found)
  return found
}

async function findOrMake(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(folderOfRun(), name)
  if (existsSync(folder)) return folder
  const building = await mkdtemp(join(folderOfRun(), 'building-'))
  await fill(building)
  try {
    await rename(building, folder)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error
    await rm(building, { recursive: true, force: true })
  }
  return folder
}
