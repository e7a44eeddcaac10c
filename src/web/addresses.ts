/** Where pages lead: addresses of our own with what has to travel along, and nowhere else. */
import type { PageAnswer, PageHeaders } from '../http/page.ts'

const OWN = 'https://own.invalid'

/** Where to go after signing in: a path of ours; undefined for everything else, however it is disguised. */
export function ownPath(asked: string | null | undefined): string | undefined {
  // Browsers read backslashes as slashes and drop tabs and line ends; none of them is in a path of ours.
  if (asked === null || asked === undefined || asked.length > 2000 || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(asked)) {
    return undefined
  }
  const url = URL.parse(asked, OWN)
  // Also what the dots of a path leave behind must not begin like a host.
  const isOwn = url?.origin === OWN && !url.pathname.startsWith('//')
  return isOwn ? url.pathname + url.search : undefined
}

/** A path of ours with the parameters that are given. */
export function address(path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/** Leads the browser there with GET, so that going back and reloading send no form again. */
export function seeOther(location: string, headers: PageHeaders = {}): PageAnswer {
  return {
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { location, ...headers },
  }
}

/** For the script of our pages. */
export function json(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): PageAnswer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body), headers }
}
