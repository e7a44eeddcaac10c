/** `POST /test/clock`, which exists in `signet test-server` alone: for its own tests, never for a page of a browser. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Page, type PageAnswer, type Pages, UnreadableForm } from '../../http/page.ts'
import { isLoopbackHost } from '../../kernel/loopback.ts'
import type { TestClock } from './test-clock.ts'

const PATH = '/test/clock'

export interface ClockPageOptions {
  readonly clock: TestClock
  adminToken(): string
  /** Brings up to date what has a time of its own, before the answer says that it is later. */
  onMoved(): Promise<void>
}

function json(status: number, body: unknown): PageAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** A name that somebody else resolves to this machine is not ours (DNS rebinding). */
function isOwnHost(host: string | undefined): boolean {
  return host !== undefined && URL.canParse(`http://${host}`) && isLoopbackHost(new URL(`http://${host}`).hostname)
}

export function clockPages({ clock, adminToken, onMoved }: ClockPageOptions): Pages {
  const page: Page = {
    verbs: ['POST'],
    async answer(request) {
      if (!isOwnHost(request.header('host')) || request.header('origin') !== undefined)
        return json(403, { error: 'Only programs on this machine move the clock.' })
      const given = digest(request.header('authorization') ?? '')
      if (!timingSafeEqual(given, digest(`Bearer ${adminToken()}`)))
        return json(401, { error: 'Send the adminToken of this server.' })
      try {
        const { advance } = ((await request.readJson(1024)) ?? {}) as { readonly advance?: unknown }
        const now = clock.advance(Number.isSafeInteger(advance) ? Number(advance) * 1000 : 0)
        await onMoved()
        return json(200, { now: now.toISOString() })
      } catch (error) {
        if (error instanceof RangeError)
          return json(400, { error: 'advance must be whole seconds, forward, and 400 days at most in all.' })
        if (error instanceof UnreadableForm) return json(error.status, { error: 'Send {"advance": seconds} as JSON.' })
        throw error
      }
    },
  }
  return new Map([[PATH, page]])
}
