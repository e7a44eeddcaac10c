/** A real browser for tests of pages: the installed Chromium, headless, driven by playwright-core. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The first one is built for this: without windows, tests need half the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ON_A_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** The path of the browser; undefined when there is none. */
export function findBrowser(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...candidates, ON_A_MAC].find((path) => existsSync(path))
}

/** Why tests with a browser are skipped; false when they run. */
export function withoutBrowser(): string | false {
  return findBrowser() === undefined ? 'there is no Chromium on this machine' : false
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser; throws when there is none. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine: apt-get install chromium.')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}
