/**
 * Sign-in, sessions and access tokens of Signet for servers in JavaScript. Two shapes: requests of the web
 * (`handle(request)`) and of Node (`node(req, res, next)`).
 */
import type { ServerResponse } from 'node:http'
import { logoutReceiver } from './backchannel.ts'
import { type AnyRequest, type Incoming, incoming, send, setCookies } from './incoming.ts'
import { issuerOf } from './issuer.ts'
import type { Caller } from './people.ts'
import { type Demands, guardOf } from './protect.ts'
import { type Session, sessionsOf } from './session.ts'
import { type Options, readSettings } from './settings.ts'
import { signInOf, textAnswer } from './sign-in.ts'
import { tokenReader } from './tokens.ts'

export { memoryStore } from './backchannel.ts'
export type { Caller } from './people.ts'
export type { Demands } from './protect.ts'
export type { Session } from './session.ts'
export { type Options, SettingError, type Store } from './settings.ts'

type Next = (error?: unknown) => void

/** Opens the kit; throws a `SettingError` when a setting is missing or wrong. */
export function signet(options: Options = {}) {
  const settings = readSettings(options, process.env)
  const { appUrl, path, store } = settings
  const issuer = issuerOf(settings)
  const sessions = sessionsOf(settings, issuer)
  const readToken = tokenReader(settings, issuer)

  const pages = new Map<string, (request: Incoming) => Promise<Response>>()
  if (appUrl !== undefined) {
    const { start, callback, signOut } = signInOf(settings, appUrl, issuer, sessions)
    pages.set(`GET ${path}/sign-in`, start)
    pages.set(`GET ${path}/callback`, callback)
    pages.set(`GET ${path}/sign-out`, signOut)
    if (store !== undefined) pages.set(`POST ${path}/backchannel-logout`, logoutReceiver(settings, store, issuer))
  }
  const pageFor = ({ method, path: address }: Incoming) => pages.get(`${method} ${address.replace(/[?#].*$/s, '')}`)
  const find = async ({ header }: Incoming) => (appUrl === undefined ? undefined : sessions.find(header('cookie')))

  return {
    /** Answers the requests below `path`; 404 for others. */
    async handle(request: Request): Promise<Response> {
      const asked = incoming(request)
      return (await pageFor(asked)?.(asked)) ?? textAnswer(404, 'There is no such page.')
    },
    /** The same as middleware: other requests are for `next`. */
    async node(request: AnyRequest, response: ServerResponse, next?: Next): Promise<void> {
      const asked = incoming(request)
      const page = pageFor(asked)
      if (page === undefined && next !== undefined) return next()
      try {
        await send((await page?.(asked)) ?? textAnswer(404, 'There is no such page.'), response)
      } catch (error) {
        if (next === undefined) throw error
        next(error)
      }
    },
    /** Who is signed in; undefined: nobody. Without `response`, send `session.cookies` yourself. */
    async session(request: AnyRequest, response?: ServerResponse): Promise<Session | undefined> {
      const session = await find(incoming(request))
      if (response !== undefined && session !== undefined) setCookies(response, session.cookies)
      return session
    },
    /** Guards a route: answers with the caller, or with the response that says what is missing. */
    protect(demands: Demands = {}) {
      const guard = guardOf(settings, readToken, find, demands)
      return Object.assign((request: AnyRequest): Promise<Caller | Response> => guard(incoming(request)), {
        /** As middleware: the caller is `request.caller`. */
        async node(request: AnyRequest & { caller?: Caller }, response: ServerResponse, next: Next): Promise<void> {
          try {
            const found = await guard(incoming(request))
            if (found instanceof Response) return await send(found, response)
            if ('cookies' in found) setCookies(response, (found as Session).cookies)
            request.caller = found
            next()
          } catch (error) {
            next(error)
          }
        },
      })
    },
  }
}
