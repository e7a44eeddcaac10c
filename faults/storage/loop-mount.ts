/** File systems in image files, to cut the power of a disk, fill it or make it read-only. They need root on Linux. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IMAGE_BYTES = 64 * 1024 * 1024

export function run(command: string, ...parameters: string[]): string {
  return execFileSync(command, parameters, { stdio: 'pipe', encoding: 'utf8' })
}

/** Mounts a new file system that lies in `image`. */
export async function mountNew(image: string, at: string, options: string): Promise<void> {
  await mkdir(at, { recursive: true })
  await writeFile(image, '')
  await truncate(image, IMAGE_BYTES)
  run('mkfs.ext4', '-q', '-F', image)
  run('mount', '-o', `loop,${options}`, image, at)
}

/** Why no image can be mounted here; undefined when it can. */
export async function mountObstacle(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'mounting an image needs root on Linux'
  const folder = await mkdtemp(join(tmpdir(), 'signet-mount-'))
  try {
    await mountNew(join(folder, 'image'), join(folder, 'mount'), 'noatime')
    run('umount', join(folder, 'mount'))
    return undefined
  } catch (error) {
    return `no loop mount here: ${error instanceof Error ? error.message.split('\n')[0] : error}`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
