/**
 * Files that pass a secret to the operator once (mode 0600). A draft is written before the commit that makes the secret
 * valid, and renamed after it. After a crash in between, the next start finds the draft and completes it.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface SecretDraft {
  /** Call it after the commit: the complete file appears under its name. */
  publish(): Promise<void>
  /** Call it when the commit failed definitely. */
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

/** Writes the secret durably under a name that only `publish` and `finishDrafts` use. */
export async function draftSecretFile(folder: string, name: string, text: string): Promise<SecretDraft> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${name}.${randomBytes(8).toString('hex')}${DRAFT}`)
  await writeDraft(draft, text)
  return {
    async publish() {
      try {
        await nameIt(folder, draft, name)
      } catch (error) {
        // Another node on the same folder can have completed the draft after the commit.
        if (!isMissing(error)) throw error
        await access(join(folder, name))
      }
    },
    discard: () => rm(draft, { force: true }),
  }
}

/**
 * Completes drafts after a crash: a draft with a valid secret gets its name, all others are removed. Call it only when
 * no other draft can still be committed.
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
