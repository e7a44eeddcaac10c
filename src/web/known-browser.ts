/**
 * Tells users of a sign-in with a browser that they have not used before. The browser keeps, signed, which users have
 * signed in with it; nothing is stored on the server.
 */
import { createHash } from 'node:crypto'
import { sendSecurityNotice } from '../features/messages/index.ts'
import { users } from '../features/users/index.ts'
import type { App } from '../module/app.ts'
import { clientOf } from './browser.ts'
import type { PageCookie } from './cookies.ts'
import type { PageTools } from './page-tools.ts'

const PURPOSE = ['known browser']
const LIFETIME_MS = 400 * 24 * 60 * 60 * 1000
/** How many users one browser remembers, newest first. */
const MOST_USERS = 20
/** A user who was just added uses their first browser. */
const NEW_USER_MS = 60 * 60 * 1000

function markOf(userId: string): string {
  return createHash('sha256').update(`known browser ${userId}`).digest('base64url').slice(0, 22)
}

/** Notes the user of a finished sign-in; see `PageTools.recognize`. */
export function openRecognition(app: App, cookie: PageCookie): PageTools['recognize'] {
  return async (visit, { userId }) => {
    const { request } = visit
    const signed = cookie.read(request)
    const text = signed === undefined ? undefined : await app.vault.readSigned(PURPOSE, signed)
    const known = text?.split('.') ?? []
    const mark = markOf(userId)
    if (!known.includes(mark)) {
      const createdAt = (await app.store.get(users, userId))?.createdAt ?? 0
      const { description, ip = '' } = clientOf(visit)
      const detail = [description, ip].filter((part) => part !== '').join(', ')
      if (app.clock() - createdAt > NEW_USER_MS) await sendSecurityNotice(app, { type: 'new_browser', userId, detail })
    }
    const marks = [mark, ...known.filter((one) => one !== mark)].slice(0, MOST_USERS)
    const value = await app.vault.sign(PURPOSE, marks.join('.'))
    return [cookie.keep(request, value, app.clock() + LIFETIME_MS)]
  }
}
