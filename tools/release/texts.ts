/**
 * The texts of a release that name its archives and their hashes: the script that installs, the formula, the Dockerfile. In
 * each, `@WORD@` is a value, and a line with the hash of a platform that the release does not have is left out.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build-server.ts'
import { downloadsOf, NAMES, PLATFORMS, type Platform } from './names.ts'

/** The file in the release, and where its text is. */
export const TEXTS: Readonly<Record<string, string>> = {
  'install.sh': 'deploy/install.sh',
  'signet.rb': 'deploy/homebrew/signet.rb',
  Dockerfile: 'deploy/docker/Dockerfile',
}

function hashName(platform: Platform): string {
  return `SHA256_${platform.replace('-', '_').toUpperCase()}`
}

export function fillTexts(
  version: string,
  hashes: ReadonlyMap<Platform, string>,
): readonly (readonly [file: string, text: string])[] {
  const values: Record<string, string> = {
    VERSION: version,
    DOWNLOADS: downloadsOf(version),
    REPOSITORY: NAMES.repository,
  }
  for (const [platform, hash] of hashes) values[hashName(platform)] = hash
  const missing = PLATFORMS.filter((platform) => !hashes.has(platform)).map((platform) => `@${hashName(platform)}@`)
  return Object.entries(TEXTS).map(([file, source]) => {
    const lines = readFileSync(join(root, source), 'utf8').split('\n')
    const kept = lines.filter((line) => !missing.some((word) => line.includes(word)))
    const text = kept.join('\n').replaceAll(/@([A-Z0-9_]+)@/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${source}: nothing is called ${name}`)
      return value
    })
    // The Dockerfile of a checkout builds what it runs; the one of a release takes what was released.
    return [file, text.replace(/^ARG SOURCE=checkout$/m, 'ARG SOURCE=released')] as const
  })
}
