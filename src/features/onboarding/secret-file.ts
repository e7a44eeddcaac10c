/**
 * Files that tell a secret to the operator once (mode 0600). Such a file is drafted before the commit that makes the
 * secret valid, and gets its name after it. The next start after a crash in between finds the draft and finishes it.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface SecretDraft {
  /** After the commit: the file appears under its name, complete. */
  publish(): Promise<void>
  /** When the commit did not happen, and never will. */
  discard(): Promise<void>
}

const DRAFT = '.draft'

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

async function writeDraft(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${text}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function nameIt(folder: string, draft: string, name: string): Promise<void> {
  await rename(draft, join(folder, name))
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes the secret durably, under a name that only `publish` and `finishDrafts` look at. */
export async function draftSecretFile(folder: string, name: string, text: string): Promise<SecretDraft> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${name}.${randomBytes(8).toString('hex')}${DRAFT}`)
  await writeDraft(draft, text)
  return {
    async publish() {
      try {
        await nameIt(folder, draft, name)
      } catch (error) {
        // Another node on the same folder may have seen the commit and finished the draft already.
        if (!isMissing(error)) throw error
        await access(join(folder, name))
      }
    },
    discard: () => rm(draft, { force: true }),
  }
}

/**
 * Finishes what a crash left behind: a draft whose secret is valid gets its name, any other is removed. To be called only
 * when the commit of no other draft can still succeed.
 */
export async function finishDrafts(
  folder: string,
  name: string,
  isValid: (text: string) => Promise<boolean>,
): Promise<void> {
  const entries = await readdir(folder).catch(() => [])
  for (const entry of entries.filter((one) => one.startsWith(`${name}.`) && one.endsWith(DRAFT))) {
    const draft = join(folder, entry)
    const text = await readFile(draft, 'utf8').catch(() => '')
    try {
      if (await isValid(text.trim())) await nameIt(folder, draft, name)
      else await rm(draft, { force: true })
    } catch (error) {
      // Its writer, or another node on the same folder, was faster.
      if (!isMissing(error)) throw error
    }
  }
}
