/** Reads the cookies of a request (RFC 6265 §4.2). */
import type { PageRequest } from './page.ts'

/** The values of a cookie: a browser sends one for each path and domain that it was set for. */
export function cookiesOf(request: Pick<PageRequest, 'header'>, name: string): readonly string[] {
  return (request.header('cookie') ?? '').split(';').flatMap((pair) => {
    const [before, ...value] = pair.trim().split('=')
    return before === name && value.length > 0 ? [value.join('=')] : []
  })
}
