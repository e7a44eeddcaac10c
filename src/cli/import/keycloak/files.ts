/**
 * Finds the files of a realm: one file with everything, or `R-realm.json` and the users in `R-users-0.json`,
 * `R-users-1.json` and so on. Users are never in memory together.
 */
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Instant, instant } from '../../../kernel/instant.ts'
import { meaningOf } from '../../setting-refused.ts'
import { CannotImport } from '../import.ts'
import { type Asked, Members } from '../json/members.ts'
import { readJson } from '../json/read-json.ts'

/** The export of one realm. */
export interface RealmExport {
  /** Everything but the users. */
  readonly realm: Members
  /** When it was written: the date of whatever has none of its own. */
  readonly exportedAt: Instant
  users(): AsyncGenerator<Members>
}

const REALM_FILE = /^(.+)-realm\.json$/

async function filesOf(folder: string): Promise<readonly string[]> {
  return await readdir(folder)
}

/** The file of the realm that is meant. */
async function findRealmFile(path: string, name: string | undefined): Promise<string> {
  let isFolder: boolean
  try {
    isFolder = (await stat(path)).isDirectory()
  } catch (error) {
    throw new CannotImport(`${path} ${meaningOf(error)}.`)
  }
  if (!isFolder) return path
  const realms = (await filesOf(path)).flatMap((file) => REALM_FILE.exec(file)?.[1] ?? [])
  const wanted = name ?? (realms.length === 1 ? realms[0] : undefined)
  if (realms.length === 0) throw new CannotImport(`${path} contains no file …-realm.json.`)
  if (wanted === undefined)
    throw new CannotImport(`${path} contains several realms (${realms.sort().join(', ')}); choose one with --realm.`)
  if (!realms.includes(wanted)) throw new CannotImport(`${path} contains no ${wanted}-realm.json.`)
  return join(path, `${wanted}-realm.json`)
}

/** The files of the users beside the file of the realm, in their order. */
async function findUserFiles(realmFile: string): Promise<readonly string[]> {
  const [, name] = REALM_FILE.exec(basename(realmFile)) ?? []
  if (name === undefined) return []
  const folder = dirname(realmFile)
  const prefix = `${name}-users-`
  const numbers = (await filesOf(folder))
    .filter((file) => file.startsWith(prefix) && /^\d+\.json$/.test(file.slice(prefix.length)))
    .map((file) => Number.parseInt(file.slice(prefix.length), 10))
    .sort((one, other) => one - other)
  const missing = numbers.findIndex((number, index) => number !== index)
  if (missing >= 0) throw new CannotImport(`${join(folder, `${prefix}${missing}.json`)} is missing.`)
  return numbers.map((number) => join(folder, `${prefix}${number}.json`))
}

function isUsers(member: string): boolean {
  return member === 'users'
}

async function readRealm(
  file: string,
  asked?: Asked,
): Promise<{ readonly realm: Members; readonly hasUsers: boolean }> {
  const name = basename(file)
  const values: Record<string, unknown> = {}
  let hasUsers = false
  for await (const { member, index, value } of readJson(file, isUsers)) {
    if (member === '' && index !== undefined)
      throw new CannotImport(`${name} is a list. Export one realm: kc.sh export --realm <name>.`)
    if (isUsers(member)) hasUsers = true
    else values[member] = value
  }
  const realm = new Members(name, '', values, asked)
  if (!realm.has('realm')) throw new CannotImport(`${name} is not the export of a realm: it has no member “realm”.`)
  return { realm, hasUsers }
}

async function* usersOf(file: string, realm: string, asked?: Asked): AsyncGenerator<Members> {
  for await (const { member, index, value } of readJson(file, isUsers)) {
    if (isUsers(member) && index !== undefined) yield new Members(basename(file), `users[${index}]`, value, asked)
    else if (isUsers(member)) throw new CannotImport(`${basename(file)}: users must be a list.`)
    else if (member === 'realm' && value !== realm)
      throw new CannotImport(`${basename(file)} belongs to the realm “${String(value)}”, not to “${realm}”.`)
  }
}

/** Opens the export in a folder or file. Reads the realm, and not yet the users. */
export async function openExport(path: string, realmName?: string, asked?: Asked): Promise<RealmExport> {
  const file = await findRealmFile(path, realmName)
  const { realm, hasUsers } = await readRealm(file, asked)
  const name = realm.text('realm')
  if (realmName !== undefined && name !== realmName)
    throw new CannotImport(`${basename(file)} contains the realm “${name}”, not “${realmName}”.`)
  const userFiles = hasUsers ? [file] : await findUserFiles(file)
  return {
    realm,
    exportedAt: instant(Math.floor((await stat(file)).mtimeMs)),
    async *users() {
      for (const userFile of userFiles) yield* usersOf(userFile, name, asked)
    },
  }
}
