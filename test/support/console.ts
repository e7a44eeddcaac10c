/** The console in a real browser: builds it where needed, and signs an administrator in. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { People } from '../e2e/people.ts'
import { addPersonWithPassword, PASSWORD, press, startPublicly } from '../e2e/signing-in.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

function changedAt(file: string): number {
  return statSync(`${root}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Test files run side by side, and only one of them may build. A lock of a run that was killed is taken over. */
async function inTurn(task: () => void): Promise<void> {
  const lock = join(tmpdir(), `signet-console-build-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch {
      const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
      if (Date.now() - mtimeMs > 60_000) rmSync(lock, { recursive: true, force: true })
      await sleep(100)
    }
  }
  try {
    task()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const SOURCES = {
  console: [
    'console/{src,build}/**/*.*',
    'console/*.{ts,html}',
    'packages/create/frameworks/**/*.*',
    'package-lock.json',
  ],
  docs: ['docs/{*,*/*}.md', 'docs/.vitepress/{*,theme/*}.*', 'package-lock.json'],
}

/** Builds the console or the documentation, unless the build is newer than everything it is made of. */
function build(name: keyof typeof SOURCES): void {
  const newest = Math.max(...globSync(SOURCES[name], { cwd: root }).map(changedAt))
  if (changedAt(`${name}/dist/index.html`) > newest) return
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/build-web.js', name], { cwd: root })
  assert.equal(status, 0, `${stdout}${stderr}`)
}

/** Builds the documentation where needed. */
export async function needDocumentation(): Promise<void> {
  await inTurn(() => build('docs'))
}

/** Builds the console where needed. */
export async function needConsole(): Promise<void> {
  await inTurn(() => build('console'))
}

/** A window on the console. */
export interface ConsoleWindow {
  readonly page: Page
  /** What the browser complained about: errors in scripts, and what our own policy forbids. */
  readonly complaints: string[]
}

export interface ConsoleWorld extends People {
  /** Adds a person with roles on the instance; with none, they are no administrator. */
  addAdministrator(name: string, roles?: readonly string[]): Promise<string>
  /** Opens a path of the console in a new browser and signs in at the page that it leads to. */
  openAs(name: string, path?: string, options?: BrowserContextOptions): Promise<ConsoleWindow>
}

/** Fills in the hosted sign-in page. */
export async function signInAtPage(page: Page, name: string): Promise<void> {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'Sign in')
}

/** Starts a server that serves the console, with these settings. */
export async function startConsole(settings: Readonly<Record<string, string>> = {}): Promise<ConsoleWorld> {
  await needConsole()
  const people = await startPublicly(settings)
  return {
    ...people,
    async addAdministrator(name, roles = ['IAM_OWNER']) {
      const userId = await addPersonWithPassword(people, name)
      if (roles.length > 0) await people.call('POST', '/admin/v1/members', { userId, roles })
      return userId
    },
    async openAs(name, path = '', options = {}) {
      const window = await people.open({ javaScriptEnabled: true, ...options })
      await window.page.goto(`${people.url}/ui/console${path}`)
      await signInAtPage(window.page, name)
      await window.page.waitForURL(
        (url) => url.pathname.startsWith('/ui/console') && !url.pathname.endsWith('/callback'),
      )
      return window
    },
  }
}

/** Opens the menu of the user and chooses an item. */
export async function chooseInUserMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /’s menu$/ }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Waits for a notification with this text. */
export async function seesNotice(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).first().waitFor()
}

/** Follows a link to a form of the same name; the page before may have fields with the same labels. */
export async function openForm(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}
