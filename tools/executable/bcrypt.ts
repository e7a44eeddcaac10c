/**
 * Takes the place of `@node-rs/bcrypt` in the executable file: loads the library from the embedded files at the first
 * use, in any thread, and without a file on the disk.
 */
import { getRawAsset } from 'node:sea'
import { create, type VirtualFileSystem } from 'node:vfs'

type Bcrypt = typeof import('@node-rs/bcrypt')

/** What this version of Node offers, and its types do not yet declare. */
type Mountable = VirtualFileSystem & { mount(): void; readonly mountPoint: string }

/** The name of the library among the embedded files. */
const LIBRARY = 'bcrypt.node'

let loaded: Bcrypt | undefined

function load(): Bcrypt {
  // Threads do not see the embedded files as a file system, but they can read each of them and mount their own.
  const files = create({ emitExperimentalWarning: false }) as Mountable
  files.writeFileSync(`/${LIBRARY}`, Buffer.from(getRawAsset(LIBRARY)))
  files.mount()
  const library = { exports: {} as Bcrypt }
  process.dlopen(library, `${files.mountPoint}/${LIBRARY}`)
  return library.exports
}

/** Like the function of the same name in the package. */
export const verifySync: Bcrypt['verifySync'] = (password, hash) => {
  loaded ??= load()
  return loaded.verifySync(password, hash)
}
