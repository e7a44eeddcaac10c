/** The page for unknown addresses; programs get the same answer in JSON. */
import type { NotFoundPage, PageAnswer } from '../http/page.ts'
import type { Language } from '../kernel/languages.ts'
import { chooseLanguage, textsIn } from './language.ts'
import { printSheet } from './layout.ts'
import { securityHeaders } from './security-headers.ts'
import { problemPage } from './site.ts'

/** The page for unknown addresses. It is made once in each language: anybody may ask for any address, overloaded or not. */
export function notFoundPage(externalUrl: string): NotFoundPage {
  const headers = { ...securityHeaders(new URL(externalUrl)), vary: 'accept, accept-language' }
  const pages = new Map<string, PageAnswer>()
  const make = (language: Language): PageAnswer => {
    const { title, content } = problemPage(textsIn(language), 404, 'notFound')
    return {
      status: 404,
      contentType: 'text/html; charset=utf-8',
      body: printSheet({ language, title, content }),
      headers: { ...headers, 'content-language': language },
    }
  }
  return (acceptLanguage) => {
    const language = chooseLanguage(undefined, acceptLanguage)
    const page = pages.get(language) ?? make(language)
    pages.set(language, page)
    return page
  }
}
