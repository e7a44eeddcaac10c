/** The head of a request as authorization sees it. */
import type { RequestHead } from '../access/call.ts'
import type { PageRequest } from '../http/page.ts'

export function headOf(request: PageRequest): RequestHead {
  const { method: verb, path, requestId } = request
  return {
    verb,
    path,
    requestId,
    header: (name) => request.header(name),
    get signal() {
      return request.signal
    },
  }
}
