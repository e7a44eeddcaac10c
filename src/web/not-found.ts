/** The page for unknown addresses; programs get the same answer in JSON. */
import type { NotFoundPage } from '../http/page.ts'
import { chooseLanguage, textsIn } from './language.ts'
import { printSheet } from './layout.ts'
import { securityHeaders } from './security-headers.ts'
import { problemPage } from './site.ts'

/** The page for unknown addresses. */
export function notFoundPage(externalUrl: string): NotFoundPage {
  const headers = { ...securityHeaders(new URL(externalUrl)), vary: 'accept, accept-language' }
  return (acceptLanguage) => {
    const language = chooseLanguage(undefined, acceptLanguage)
    const { title, content } = problemPage(textsIn(language), 404, 'notFound')
    return {
      status: 404,
      contentType: 'text/html; charset=utf-8',
      body: printSheet({ language, title, content }),
      headers: { ...headers, 'content-language': language },
    }
  }
}
