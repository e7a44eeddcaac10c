/** What people see at an address where there is nothing; programs are told the same in JSON. */
import type { PageAnswer } from '../http/page.ts'
import { chooseLanguage, textsIn } from './language.ts'
import { printSheet } from './layout.ts'
import { securityHeaders } from './security-headers.ts'
import { mishap } from './site.ts'

/** The page for a browser that accepts these languages. */
export type LostPage = (acceptLanguage: string | undefined) => PageAnswer

export function lostPage(externalUrl: string): LostPage {
  const headers = { ...securityHeaders(new URL(externalUrl)), vary: 'accept, accept-language' }
  return (acceptLanguage) => {
    const language = chooseLanguage(undefined, acceptLanguage)
    const { title, content } = mishap(textsIn(language), 404, 'notFound')
    return {
      status: 404,
      contentType: 'text/html; charset=utf-8',
      body: printSheet({ language, title, content }),
      headers: { ...headers, 'content-language': language },
    }
  }
}
