/** A really started server, an administrator who uses its API, and people with browsers. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { runServer } from '../faults/run-server.ts'
import { openBrowser } from '../support/browser.ts'

export interface Mail {
  readonly id: string
  readonly subject: string
  readonly text: string
}

export interface People {
  readonly url: string
  /** The one-time link of the first administrator. */
  readonly setupUrl: string
  /** The development inbox with its key. */
  readonly inboxUrl: string
  /** What the server has written to its log. */
  log(): string
  /** Calls the API as the machine administrator, in their organization or another, and expects success. */
  call(method: string, path: string, body?: unknown, organizationId?: string): Promise<Record<string, unknown>>
  /** Adds a person and answers their id. */
  addPerson(name: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  /** The next mail to somebody, after the one of this id. */
  nextMail(recipient: string, afterId?: string): Promise<Mail>
  /** A window of a person, without scripts unless they are asked for. What the browser does not do, because our own policy forbids it, is in `complaints`. */
  open(options?: BrowserContextOptions): Promise<{ readonly page: Page; readonly complaints: string[] }>
  close(): Promise<void>
}

/** The first link to one of our pages in a mail. */
export function linkIn({ text }: Mail): string {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? assert.fail('there is no link')
}

/** Starts a server with these settings. */
export async function startPeople(settings: Readonly<Record<string, string>> = {}): Promise<People> {
  const server = await runServer('main', ['start'], settings)
  const url = await server.url
  const token = (await readFile(join(server.dataDir, 'admin.pat'), 'utf8')).trim()
  let browser: Browser | undefined

  const call: People['call'] = async (method, path, body, organizationId) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(organizationId !== undefined && { 'x-service-orgid': organizationId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const reply = (await answer.json()) as Record<string, unknown>
    assert.ok(answer.ok, `${answer.status} ${JSON.stringify(reply)}`)
    return reply
  }

  return {
    url,
    inboxUrl: /\S+\/inbox\?key=\S+/.exec(server.stdout())?.[0] ?? '',
    setupUrl: /\S+\/setup\?\S+/.exec(server.stdout())?.[0] ?? '',
    log: () => server.stdout() + server.stderr(),
    call,
    async addPerson(name, more = {}) {
      const { userId } = await call('POST', '/v2/users/human', {
        username: name,
        profile: { firstName: 'Ada', lastName: 'Lovelace', preferredLanguage: 'en' },
        email: { email: `${name}@example.com`, sendCode: {} },
        ...more,
      })
      return userId as string
    },
    async nextMail(recipient, afterId) {
      const { mail } = await call('POST', '/v2/mails/inbox/_wait', {
        recipient,
        ...(afterId !== undefined && { afterId }),
      })
      return (mail as Mail | undefined) ?? assert.fail(`no mail came to ${recipient}`)
    },
    async open(options = {}) {
      browser ??= await openBrowser()
      const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en', ...options })
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (!/^(Failed to load resource|Autofocus processing was blocked|\[DOM\])/.test(message.text()))
          complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      return { page, complaints }
    },
    async close() {
      await browser?.close()
      server.child.kill('SIGTERM')
      await server.ended
    },
  }
}
