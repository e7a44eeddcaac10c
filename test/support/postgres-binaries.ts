/** Finds the installed PostgreSQL, and the user that it can run as. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The operating system user of a server. */
export interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Whether there is a program at this path. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folder with `initdb` and `postgres` of the newest installed version; undefined when there is none. */
export function findPostgres(): string | undefined {
  const parents = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr']
  const versioned = parents.flatMap((parent) => {
    try {
      return readdirSync(parent)
        .filter((name) => /^(postgresql@|pgsql-)?\d+$/.test(name))
        .sort((a, b) => Number(b.replace(/\D/g, '')) - Number(a.replace(/\D/g, '')))
        .map((name) => join(parent, name, 'bin'))
    } catch {
      return []
    }
  })
  const onPath = (process.env.PATH ?? '').split(delimiter)
  return [...versioned, ...onPath].find((folder) =>
    ['initdb', 'postgres', 'pg_basebackup'].every((name) => isExecutable(join(folder, name))),
  )
}

/** PostgreSQL refuses to run as root: root lends it the `postgres` user, or `nobody`. */
export function findOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const account = ['postgres', 'nobody'].map((name) => accounts.find((fields) => fields[0] === name)).find(Boolean)
  if (!account) throw new Error('PostgreSQL does not run as root, and there is no postgres or nobody user to lend it')
  return { uid: Number(account[2]), gid: Number(account[3]) }
}
