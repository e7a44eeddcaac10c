/** What things are called outside of this repository. The names stand in packages/names.json and nowhere else. */
import { readFileSync } from 'node:fs'

interface Names {
  readonly repository: string
  readonly npm: {
    /** The account that the packages belong to. */
    readonly account: string
    /** By the folder in `packages`. */
    readonly packages: Readonly<Record<string, string>>
  }
  readonly image: string
  readonly chart: string
  /** Of Homebrew. */
  readonly tap: string
  /** Which of `npm`, `image`, `chart`, `tap` and `files` there are to install from. */
  readonly published: readonly string[]
}

export const NAMES = JSON.parse(readFileSync(new URL('../../packages/names.json', import.meta.url), 'utf8')) as Names

/** What a release is made for: `<process.platform>-<process.arch>`. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'] as const

export type Platform = (typeof PLATFORMS)[number]

export function isPlatform(text: string): text is Platform {
  return (PLATFORMS as readonly string[]).includes(text)
}

/** The package of npm with the executable file for one platform. */
export function platformPackageOf(platform: Platform): string {
  return `${NAMES.npm.packages.cli}-${platform}`
}

/** The file with the executable for one platform. */
export function archiveOf(version: string, platform: Platform): string {
  return `signet-${version}-${platform}.tar.gz`
}

/** Where the files of a version are. */
export function downloadsOf(version: string): string {
  return `${NAMES.repository}/releases/download/v${version}`
}
